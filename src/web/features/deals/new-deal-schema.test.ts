import { expect, test } from 'vitest'
import { emptyDeal, newDealSchema, type TypedDeal } from './new-deal-schema.ts'

function problemsOf(fields: Partial<TypedDeal>) {
  const parsed = newDealSchema.safeParse({ ...emptyDeal, ...fields })
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

test('a new deal needs a name after trimming', () => {
  expect(problemsOf({ name: '   ' })).toEqual(['name: Deal name is required'])
})

test('the name of a new deal is trimmed, an empty amount becomes 0, and an empty close date, contact and company become null', () => {
  expect(newDealSchema.parse({ ...emptyDeal, name: '  Depot lighting ' })).toEqual({
    name: 'Depot lighting',
    stage_id: '',
    amount: 0,
    amount_currency: 'GBP',
    expected_close_date: null,
    contact_id: null,
    company_id: null,
  })
})

test('a new deal has the typed name and amount, and the chosen currency, stage, close date, contact and company', () => {
  const typed: TypedDeal = {
    name: 'Depot',
    amount: '12,400.50',
    currency: 'EUR',
    stage: 's1',
    closeDate: '2026-12-18',
    contact: { id: 'c1', label: 'Ana Pryce' },
    company: { id: 'k1', label: 'Copperline' },
  }
  expect(newDealSchema.parse(typed)).toEqual({
    name: 'Depot',
    stage_id: 's1',
    amount: 12_400.5,
    amount_currency: 'EUR',
    expected_close_date: '2026-12-18',
    contact_id: 'c1',
    company_id: 'k1',
  })
})

test('the owner of a new deal is the chosen member, or nobody if that was chosen; without a choice it is undefined, which means the creator', () => {
  const ownerOf = (owner?: string) => newDealSchema.parse({ ...emptyDeal, name: 'Depot', owner }).owner_id
  expect([ownerOf(), ownerOf(''), ownerOf('u1')]).toEqual([undefined, null, 'u1'])
})

test('a negative amount, and one with too many decimals, is refused with the error at the amount', () => {
  expect(problemsOf({ name: 'Depot', amount: '-1' })).toEqual(['amount: Amount cannot be negative'])
  expect(problemsOf({ name: 'Depot', amount: '1.5', currency: 'JPY' })).toEqual(['amount: Whole numbers only'])
})
