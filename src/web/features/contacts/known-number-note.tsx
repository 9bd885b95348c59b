import { useState } from 'react'
import { useKnownNumber } from '#web/data/known-number.ts'
import { KnownContactNote } from './known-contact-note.tsx'

interface KnownNumberNoteProps {
  phone: string
  /** The contact that is pointed out already, by its address. */
  besides: string | undefined
  /** The form is being sent: then the new contact has the number, too. */
  pending: boolean
  /** Before the contact opens. */
  onOpen: () => void
}

/** Below a number that contacts have already: who they are. A number may be shared, so this hinders nobody. */
export function KnownNumberNote({ phone, besides, pending, onOpen }: KnownNumberNoteProps) {
  const present = useKnownNumber(phone)
  const [shown, setShown] = useState(present)
  if (!pending && shown !== present) setShown(present)
  if (!shown || shown.entry.contact.id === besides) return null
  return (
    <div className="col-span-full">
      <KnownContactNote entry={shown.entry} others={shown.others} has="number" onOpen={onOpen} />
    </div>
  )
}
