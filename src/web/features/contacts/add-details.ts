import type { CustomValues } from '#web/crm/required-fields.tsx'
import type { Device } from '#web/data/browser/device.ts'
import { updateRecord } from '#web/data/changes/update-record.ts'
import type { CheckedContact } from './contact-schema.ts'

/**
 * Writes the fields that a new contact does not have yet: its custom fields, and, for a contact with an email address, the title and phone,
 * because these are not parameters of `upsert_contact`. An empty title or phone is not written. Resolves to the text of a refusal, or null.
 */
export async function addDetails(
  device: Device,
  id: string,
  { email, title, phone }: CheckedContact,
  custom: CustomValues,
): Promise<string | null> {
  const details = { ...(email && title && { title }), ...(email && phone && { phone }), ...custom }
  if (Object.keys(details).length === 0) return null
  const outcome = await updateRecord(device, 'contacts', id, details)
  return outcome.status === 'refused' ? outcome.message : null
}
