import { expect, test } from 'vitest'
import { serverRow } from '#tests/harness/lone-tab.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import { customWords } from './custom-words.ts'

const options = [
  { id: 'g', label: 'Gold' },
  { id: 's', label: 'Silver' },
]

const field = (type: CustomField['type'], currency: string | null = null): CustomField => ({
  ...serverRow({ id: 'f' }),
  created_by: null,
  table: 'deals',
  key: 'k',
  label: 'Level',
  position: 1,
  required: false,
  retired_at: null,
  type,
  options,
  currency,
})

test.each<[CustomField['type'], unknown, string | null]>([
  ['choice', 'g', 'Gold'],
  ['choice', 'away', 'An unknown option'],
  ['choices', ['g', 's'], 'Gold, Silver'],
  ['choices', [], ''],
  ['yes_no', true, 'Yes'],
  ['yes_no', false, 'No'],
  ['number', 1234.5, '1,234.5'],
  ['number', 0.123456, '0.123456'],
  ['number', 0.1234567, '0.123457'],
  ['money', 1200, '£1,200'],
  ['date', '2031-12-07', '7 Dec 2031'],
  ['text', '2031-12-07', '2031-12-07'],
  ['text', { a: 1 }, '{"a":1}'],
  ['text', null, null],
  ['choices', undefined, null],
])('a custom value of the type %s, %j, is shown as %s', (type, value, words) => {
  expect(customWords(field(type), value)).toBe(words)
})

test('a money value is shown with the currency of its custom field', () => {
  expect(customWords(field('money', 'EUR'), 1200)).toBe('€1,200')
  expect(customWords(field('number', 'EUR'), 1200)).toBe('1,200')
})
