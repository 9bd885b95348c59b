import { contactName } from '#web/data/store/contact-name.ts'
import type { Correction } from '#web/data/changes/correction.ts'
import { useDealStages } from '#web/data/deal-stages.ts'
import { useRecord } from '#web/data/query/use-record.ts'
import { emptyDeal, type TypedDeal, typedDealOf } from './new-deal-schema.ts'

/**
 * The initial values of the form: the values of the refused deal, or an empty deal in this currency. If the refused deal's stage no longer
 * exists, the stage is '', which the form shows as the first stage.
 */
export function useTypedDeal(correction: Correction<'deals'> | null, currency: string): TypedDeal {
  const { stages } = useDealStages()
  const { contact_id = null, company_id = null, ...row } = correction?.row ?? {}
  const contact = useRecord('contacts', contact_id).row
  const company = useRecord('companies', company_id).row
  if (!correction) return { ...emptyDeal, currency }
  return {
    ...typedDealOf(row),
    stage: stages.find(({ id }) => id === row.stage_id)?.id ?? '',
    contact: contact_id ? { id: contact_id, label: contactName(contact ?? undefined) ?? '?' } : null,
    company: company_id ? { id: company_id, label: company?.name ?? '?' } : null,
  }
}
