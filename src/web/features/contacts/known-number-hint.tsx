import { useState } from 'react'
import { useContactWithNumber } from '#web/data/known-number.ts'
import { KnownContactHint } from './known-contact-hint.tsx'

interface KnownNumberHintProps {
  phone: string
  /** The id of the contact that is already shown because of its email address. */
  besides: string | undefined
  /** Whether the form is being submitted. Then the hint does not change: the new contact also has the number, but must not be named. */
  pending: boolean
  /** Called before the contact is opened. */
  onOpen: () => void
}

/**
 * Shown below a phone number that contacts already have: the name of one, and how many others there are. The form can still be submitted,
 * because people may share a number.
 */
export function KnownNumberHint({ phone, besides, pending, onOpen }: KnownNumberHintProps) {
  const current = useContactWithNumber(phone)
  const [shownContact, setShownContact] = useState(current)
  if (!pending && shownContact !== current) setShownContact(current)
  if (!shownContact || shownContact.entry.contact.id === besides) return null
  return (
    <div className="col-span-full">
      <KnownContactHint entry={shownContact.entry} others={shownContact.others} has="number" onOpen={onOpen} />
    </div>
  )
}
