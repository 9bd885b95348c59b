import type { NoteKind } from '#web/data/server/rows.ts'

/** The values of the form for a note. */
export interface TypedNote {
  kind: NoteKind
  body: string
  /** The time of a call, a meeting or an email, as typed. */
  when: string
}

export const emptyNote: TypedNote = { kind: 'note', body: '', when: '' }
