import { contactName } from '#web/data/contact-names.ts'
import { type Correction, endCorrection } from '#web/data/correction.ts'
import { useDealStages } from '#web/data/deal-stages.ts'
import { useRecord } from '#web/data/use-record.ts'
import { NewDealForm } from './new-deal-form.tsx'

/** The form of a new deal that was refused, with what was typed. A stage that is not there any more is the first one. */
export function CorrectDeal({ correction: { row, rowId } }: { correction: Correction<'deals'> }) {
  const { stages } = useDealStages()
  const contact = useRecord('contacts', row.contact_id ?? null).row
  const company = useRecord('companies', row.company_id ?? null).row
  const typed = {
    name: row.name ?? '',
    amount: row.amount ? String(row.amount) : '',
    currency: row.amount_currency ?? 'GBP',
    stage: stages.find(({ id }) => id === row.stage_id)?.id ?? '',
    closeDate: row.expected_close_date ?? '',
    contact: row.contact_id ? { id: row.contact_id, label: contactName(contact ?? undefined) ?? '?' } : null,
    company: row.company_id ? { id: row.company_id, label: company?.name ?? '?' } : null,
    owner: row.owner_id ?? '',
  }
  return <NewDealForm open onClose={endCorrection} preset={typed} corrected={rowId} />
}
