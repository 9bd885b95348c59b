import type { ReactNode } from 'react'
import type { NoteKind } from '#web/data/server/rows.ts'
import { MailIcon, NotesIcon, PeopleIcon, PhoneIcon } from '#web/ui/icons.tsx'

interface KindLook {
  label: string
  icon: ReactNode
}

export const noteKinds: Readonly<Record<NoteKind, KindLook>> = {
  note: { label: 'Note', icon: <NotesIcon /> },
  call: { label: 'Call', icon: <PhoneIcon /> },
  meeting: { label: 'Meeting', icon: <PeopleIcon /> },
  email: { label: 'Email', icon: <MailIcon /> },
}

/** Whether a note can be stored. Calls and meetings need no text, as in the database. */
export function isComplete(kind: NoteKind, body: string): boolean {
  return kind === 'call' || kind === 'meeting' || body.trim() !== ''
}

/** The kinds that people write by hand. */
export const writtenKinds = ['note', 'call', 'meeting'] as const satisfies readonly NoteKind[]
