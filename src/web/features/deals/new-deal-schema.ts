import * as z from 'zod/mini'
import { chosenRecordSchema } from '#web/crm/chosen-record.ts'
import type { Correction } from '#web/data/changes/correction.ts'
import { typedDay, typedProblem, typedTextOf } from '#web/lib/typed-date.ts'
import { parseAmount } from './parse-amount.ts'

/** The values of the New Deal dialog, as typed. */
const typedSchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Deal name is required')),
  amount: z.string(),
  currency: z.string(),
  stage: z.string(),
  closeDate: z.string(),
  contact: chosenRecordSchema,
  company: chosenRecordSchema,
  owner: z.optional(z.string()),
})

/**
 * The rules of spec section 5: the name is required after trimming, an empty or non-numeric amount becomes 0, and close date, contact,
 * company and owner are null when empty. A currency named in the amount wins over the chosen one. The stage may be empty: then the dialog
 * uses the first stage.
 */
export const newDealSchema = z.pipe(
  typedSchema,
  z.transform((deal, context) => {
    const parsed = parseAmount(deal.amount, deal.currency) ?? { amount: 0, currency: deal.currency }
    const problem = typedProblem(deal.closeDate, false)
    if (problem !== null)
      context.issues.push({ code: 'custom', message: problem, path: ['closeDate'], input: deal.closeDate })
    if ('error' in parsed) {
      context.issues.push({ code: 'custom', message: parsed.error, path: ['amount'], input: deal.amount })
      return z.NEVER
    }
    if (problem !== null) return z.NEVER
    return {
      name: deal.name,
      stage_id: deal.stage,
      amount: parsed.amount,
      amount_currency: parsed.currency,
      expected_close_date: typedDay(deal.closeDate),
      contact_id: deal.contact?.id ?? null,
      company_id: deal.company?.id ?? null,
      // Undefined means the signed-in person, null nobody.
      owner_id: deal.owner === undefined ? undefined : deal.owner || null,
    }
  }),
)

export type TypedDeal = z.input<typeof newDealSchema>
export type CheckedDeal = z.output<typeof newDealSchema>

/** Names every field. Otherwise a form in which nothing was typed would count as changed. */
export const emptyDeal: TypedDeal = {
  name: '',
  amount: '',
  currency: 'GBP',
  stage: '',
  closeDate: '',
  contact: null,
  company: null,
  owner: undefined,
}

/** Returns the values of a refused deal for the form. `useTypedDeal` adds its stage and links. */
export function typedDealOf(row: Correction<'deals'>['row']): TypedDeal {
  return {
    ...emptyDeal,
    name: row.name ?? '',
    amount: row.amount ? String(row.amount) : '',
    currency: row.amount_currency ?? emptyDeal.currency,
    closeDate: typedTextOf(row.expected_close_date ?? null),
    owner: row.owner_id ?? '',
  }
}
