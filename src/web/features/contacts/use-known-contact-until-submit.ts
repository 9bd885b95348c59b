import { useState } from 'react'
import type { ContactEntry } from '#web/data/contacts.ts'
import { useKnownContact } from '#web/data/known-contact.ts'

/**
 * Returns the contact with this email address, or null. While the form is being submitted (`pending`) the result does not change: the new
 * contact is then on this device, too, but must not be named as a known contact.
 */
export function useKnownContactUntilSubmit(email: string | null, pending: boolean): ContactEntry | null {
  const current = useKnownContact(email)
  const [shownEntry, setShownEntry] = useState(current)
  if (pending || shownEntry === current) return shownEntry
  setShownEntry(current)
  return current
}
