import { createContext } from 'react'

/** Requests for the field of a new note, far below in the panel of a record. The timeline in it answers them. */
export interface NoteRequests {
  /** How often it was asked for. */
  count: number
  /** What it begins as. */
  kind: 'note' | 'call'
  /** For the log of a call that begins now. */
  logCall: () => void
}

/** The requests of the panel around. */
export const NoteRequest = createContext<NoteRequests>({ count: 0, kind: 'note', logCall: () => {} })
