import { type Correction, endCorrection } from '#web/data/correction.ts'
import { AddContactForm } from './add-contact-form.tsx'

/** The form of a new contact that was refused, with what was typed. Title and phone are a change of their own, which waits behind it. */
export function CorrectContact({ correction: { row, rowId, companyName } }: { correction: Correction<'contacts'> }) {
  const typed = {
    email: row.email ?? '',
    first_name: row.first_name ?? '',
    last_name: row.last_name ?? '',
    company: companyName ?? '',
  }
  return <AddContactForm open onClose={endCorrection} preset={typed} corrected={rowId} />
}
