import { createContext } from 'react'

/** How often the panel of this record was asked for the field of a new note; the timeline in it gives it the focus. */
export const NoteRequest = createContext(0)
