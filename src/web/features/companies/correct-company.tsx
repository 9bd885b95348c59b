import { type Correction, endCorrection } from '#web/data/correction.ts'
import { AddCompanyForm } from './add-company-form.tsx'

/** The form of a new company that was refused, with what was typed. */
export function CorrectCompany({ correction: { row, rowId } }: { correction: Correction<'companies'> }) {
  const typed = {
    name: row.name ?? '',
    domain: row.domain ?? '',
    phone: row.phone ?? '',
    website: row.website ?? '',
    notes: row.notes ?? '',
  }
  return <AddCompanyForm open onClose={endCorrection} success="Company added" preset={typed} corrected={rowId} />
}
