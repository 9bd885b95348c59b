import { useState } from 'react'
import { limits } from '#shared/limits.ts'
import { useOpenRecord } from '#web/crm/record-link.tsx'
import { useDevice } from '#web/data/browser/device.ts'
import { updateRecord } from '#web/data/changes/update-record.ts'
import { findKnownContact } from '#web/data/known-contact.ts'
import type { Contact } from '#web/data/server/rows.ts'
import { fullName } from '#web/data/store/contact-name.ts'
import type { Editable } from '#web/data/store/record-tables.ts'
import { emailIn, readPerson } from '#web/lib/read-person.ts'
import { EditText } from '#web/ui/edit-in-place/edit-text.tsx'
import { emailText } from '#web/ui/email-text.tsx'
import { MailIcon } from '#web/ui/icons.tsx'
import { checkEmail } from './contact-schema.ts'

/**
 * The email address of a contact in its panel. If another contact has the address, the error has the contact's name, if it has one, and the button 'Open'.
 */
export function EditEmail({ contact }: { contact: Contact }) {
  const device = useDevice()
  const open = useOpenRecord()
  const [otherId, setOtherId] = useState<string | null>(null)
  const save = async (text: string): Promise<string | null> => {
    const patch = emailPatch(text, contact)
    setOtherId(null)
    const outcome = await updateRecord(device, 'contacts', contact.id, patch)
    if (outcome.status !== 'refused') return null
    if (outcome.code !== '23505' || !patch.email) return outcome.message
    const otherContact = await findKnownContact(device, patch.email)
    setOtherId(otherContact?.id ?? null)
    const name = otherContact && fullName(otherContact)
    return name ? `Another contact has this email address: ${name}.` : outcome.message
  }
  return (
    <EditText
      label="Email"
      icon={<MailIcon />}
      type="email"
      inputMode="email"
      value={contact.email}
      display={emailText}
      maxLength={limits.contacts.email}
      check={(text) => checkEmail(text, contact.email !== null && !contact.phone)}
      onSave={save}
      errorAction={otherId === null ? null : { label: 'Open', run: () => open('contacts', otherId) }}
    />
  )
}

/** Returns the changes for an edited email address. 'Anna Schmidt <anna@muster.example>' also sets the name of a contact without a name. */
function emailPatch(text: string, contact: Contact): Partial<Editable<'contacts'>> {
  const email = emailIn(text)
  const { first_name, last_name } = readPerson(text)
  return { email, ...(email && first_name && !fullName(contact) && { first_name, last_name }) }
}
