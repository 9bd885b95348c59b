import { expect, test } from 'vitest'
import { acme, openLoneTab, putRows } from '#tests/harness/lone-tab.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { readableConflict } from './conflict-words.ts'

async function readableBase(field: string, value: unknown, parts: Partial<Operation> = {}): Promise<unknown> {
  const { device, data } = await openLoneTab()
  putRows(data, 'deals', { id: 'deal-1', amount_currency: 'EUR' })
  putRows(data, 'deal_stages', { id: 'won', name: 'Won' })
  putRows(data, 'contacts', { id: 'owen', first_name: 'Owen', last_name: 'Davies', email: null })
  putRows(data, 'memberships', { id: 'bo', display_name: 'Bo' })
  putRows(data, 'custom_fields', { id: 'f', label: 'Paid', type: 'yes_no', options: [] })
  const operation = testOperation({ brandId: acme, ...parts })
  return readableConflict(device, operation, { field, base: value, mine: null, theirs: 7 }).base
}

test.each<[string, unknown, unknown]>([
  ['amount', 1200, '€1,200'],
  ['expected_close_date', '2031-12-07', '7 Dec 2031'],
  ['closed_at', '2031-12-07T09:30:00', '7 Dec 2031, 09:30'],
  ['closed_at', '2031-12-07T23:59:59.999Z', '7 Dec 2031'],
  ['due_at', '2031-12-08T04:59:59.999Z', '7 Dec 2031'],
  ['stage_id', 'won', 'Won'],
  ['contact_id', 'owen', 'Owen Davies'],
  ['owner_id', 'bo', 'Bo'],
  ['owner_id', 'zoe', 'Former member'],
  ['contact_id', 'gone', 'A record that is not on this device'],
  ['stage_id', 'gone', 'A record that is not on this device'],
  ['custom.f', true, 'Yes'],
  ['custom.gone', true, true],
  ['name', 'a_date', 'a_date'],
  ['contact_id', null, null],
])('the value of the field %s, %j, is shown as %s', async (field, value, shown) => {
  expect(await readableBase(field, value)).toBe(shown)
})

test('the priority and the repetition of a task are shown as words', async () => {
  const task = { table: 'tasks' as const }
  expect(await readableBase('priority', 'urgent', task)).toBe('Urgent')
  expect(await readableBase('repeats', 'monthly 31 Europe/London', task)).toBe('Monthly, day 31')
  expect(await readableBase('repeats', 'daily Europe/London', task)).toBe('Daily')
})

test('each amount of a conflict has its own currency, and that of the deal if the operation has none', async () => {
  const { device, data } = await openLoneTab()
  putRows(data, 'deals', { id: 'deal-1', amount_currency: 'EUR' })
  const words = (parts: Partial<Operation>) =>
    readableConflict(device, testOperation({ brandId: acme, ...parts }), {
      field: 'amount',
      base: 1000,
      mine: 1200,
      theirs: 1150,
    })
  const both = { values: { amount: 1200, amount_currency: 'USD' }, base: { amount: 1000, amount_currency: 'GBP' } }
  expect(words(both)).toMatchObject({ base: '£1,000', mine: '$1,200', theirs: '€1,150' })
  const old = { values: { amount: 1200 }, base: { amount: 1000 } }
  expect(words(old)).toMatchObject({ base: '€1,000', mine: '€1,200', theirs: '€1,150' })
})

test('an amount whose deal is not on this device has the currency of the edit, or no symbol', async () => {
  expect(await readableBase('amount', 1200, { rowId: 'gone' })).toBe('1,200')
  expect(await readableBase('amount', 1200, { rowId: 'gone', base: { amount_currency: 'USD' } })).toBe('$1,200')
  expect(await readableBase('amount', '12', { rowId: 'gone' })).toBe('12')
})

test('the names of records are not looked up for a brand that is not open', async () => {
  const other = { brandId: 'other' }
  expect(await readableBase('stage_id', 'won', other)).toBe('A record that is not on this device')
  expect(await readableBase('amount', 1200, other)).toBe('1,200')
  expect(await readableBase('custom.f', true, other)).toBe(true)
})

test('the earlier value and both new values of a conflict are made readable, and the field name stays', async () => {
  const { device } = await openLoneTab()
  const conflict = { field: 'amount', base: 1, mine: 2, theirs: null }
  expect(readableConflict(device, testOperation({ brandId: acme }), conflict)).toEqual({
    field: 'amount',
    base: '1',
    mine: '2',
    theirs: null,
  })
})
