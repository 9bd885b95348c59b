import { createContext } from 'react'

/** Requests to show the field for a new note, which is far down in a record's panel. The panel's timeline handles them. */
export interface NoteRequests {
  /** How many requests there were so far. */
  count: number
  /** The kind of note that is selected at first. */
  kind: 'note' | 'call'
  /** Requests the field for a note about a call that begins now. */
  logCall: () => void
}

/** Passes the requests to the components in a record's panel. */
export const NoteRequestContext = createContext<NoteRequests>({ count: 0, kind: 'note', logCall: () => {} })
