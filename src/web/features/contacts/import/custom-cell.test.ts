import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exportColumns } from '#web/crm/export/export-columns.ts'
import { optionsCell } from '#web/crm/options-cell.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import { openLoneTab, putRows, serverRow } from '#tests/harness/lone-tab.ts'
import { contactRow } from './contact-row.ts'
import { readCell } from './custom-cell.ts'
import { mapColumns } from './map-columns.ts'
import { testField } from './test-field.ts'

const options = [
  { id: 'g', label: 'Gold', retired: true },
  { id: 'n', label: 'Gold' },
  { id: 's', label: 'Silver, new' },
  { id: 'b', label: 'Bronze' },
]
const fieldOfType = (type: CustomField['type']) =>
  testField('f', 'Field', { type, options, ...(type === 'money' && { currency: 'EUR' }) })

test.each([
  ['text', 'kept as it is', 'kept as it is'],
  ['long_text', 'two\nlines', 'two\nlines'],
  ['number', '1.234,5', 1234.5],
  ['number', '-3', -3],
  ['number', '0.125', 0.125],
  ['money', '€ 1.200,50', 1200.5],
  ['money', '1,200 EUR', 1200],
  ['money', 'eur 12k', 12_000],
  ['money', '12.000', 12_000],
  ['money', '1.250', 1250],
  ['money', '1234.50', 1234.5],
  ['money', 'EUR', null],
  ['date', '2026-11-23', '2026-11-23'],
  ['date', '2026-11-23 00:00:00', '2026-11-23'],
  ['date', '23 Nov 2026', '2026-11-23'],
  ['yes_no', 'JA', true],
  ['yes_no', '0', false],
  ['choice', 'gold', 'n'],
  ['choice', 's', 's'],
  ['choices', 'bronze; Silver, New,gold', ['n', 's', 'b']],
  ['choices', ';,', null],
  ['choices', 'bronze ::: gold', ['n', 'b']],
  ['link', 'example.com/a', 'https://example.com/a'],
  ['link', 'example.com/a ::: example.com/b', 'https://example.com/a'],
  ['text', 'a ::: b', 'a ::: b'],
  ['number', '', null],
] as const)('a field of type %s reads %j as %j', (type, text, value) => {
  expect(readCell(fieldOfType(type), text)).toEqual({ value })
})

test.each([
  ['text', 'x'.repeat(501), 'Longer than 500 characters'],
  ['long_text', 'x'.repeat(10_000_000), 'Longer than 10,000 characters'],
  ['number', 'many', 'Type a number, such as 12,400'],
  ['money', '1.234 USD', 'Type a number, such as 12,400'],
  ['money', '$12,000', 'This field is in EUR'],
  ['money', '0.125', 'At most 2 decimals'],
  ['date', '12.04.85', 'Write the year with four digits'],
  ['date', '12 Apr 85 00:00', 'Write the year with four digits'],
  ['date', 'soon', 'Type a date such as 30 Nov, fri or +3d'],
  ['yes_no', 'maybe', '“maybe” is neither yes nor no'],
  ['choice', 'Platinum', 'There is no option “Platinum”'],
  ['choices', 'Gold, Platinum; Bronze', 'There is no option “Platinum”'],
  ['link', 'javascript:alert(1)', 'Type a web address, such as example.com'],
] as const)('a field of type %s refuses an invalid value: case %#', (type, text, problem) => {
  expect(readCell(fieldOfType(type), text)).toEqual({ problem })
})

test('any set of options is read from its labels, separated by semicolons', () => {
  const activeOptions = options.filter(({ retired }) => !retired)
  fc.assert(
    fc.property(fc.subarray(activeOptions, { minLength: 1 }), (chosen) => {
      const text = chosen.map(({ label }) => label).join('; ')
      expect(readCell(fieldOfType('choices'), text)).toEqual({ value: chosen.map(({ id }) => id) })
    }),
  )
})

test('a row keeps the readable values and reports the others', () => {
  const fields = [testField('r', 'Region'), testField('s', 'Team size', { type: 'number' })]
  const columns = mapColumns(['Email', 'Region', 'Team size'], fields)
  const readRow = (...cells: string[]) => contactRow({ row: 2, fields: cells }, columns, fields)
  expect(readRow('a@x.y', "'+North", '12')).toMatchObject({ row: { custom: { r: '+North', s: 12 } }, leftOut: [] })
  expect(readRow('a@x.y', 'North', 'many')).toMatchObject({
    row: { custom: { r: 'North' } },
    leftOut: [
      { row: 2, target: 'custom.s', label: 'Team size', text: 'many', reason: 'Type a number, such as 12,400' },
    ],
  })
  expect(readRow('a@x.y')).not.toHaveProperty('row.custom')
})

/** Returns the cell that an export writes for a value of a custom field. */
async function exportedCell(field: CustomField, value: unknown): Promise<string> {
  const { data, device } = await openLoneTab()
  putRows(data, 'custom_fields', { ...field })
  const page = { rows: [], nameOf: () => null, total: 1, isIncomplete: false, lacksNames: false }
  const row = serverRow({ id: 'a', custom: { [field.id]: value } })
  return (
    exportColumns(device, 'contacts')
      .find(({ head }) => head === field.label)
      ?.cell(row, page) ?? ''
  )
}

test.each([
  ['labels with a semicolon', ['Red', 'dark', 'Red; dark'], [0, 1], 'Red ; dark'],
  ['labels with each separator', ['Red', 'dark', 'Red; dark', 'Red ; dark'], [0, 1], 'id0; id1'],
  ['an ordinary choice', ['Red', 'dark', 'Red; dark'], [1, 2], 'dark; Red; dark'],
] as const)('an import reads the options that an export writes: %s', async (_, labels, chosen, cell) => {
  const field = testField('f', 'Field', {
    type: 'choices',
    options: labels.map((label, index) => ({ id: `id${index}`, label })),
  })
  const ids = chosen.map((index) => `id${index}`)
  expect(await exportedCell(field, ids)).toBe(cell)
  expect(readCell(field, cell)).toEqual({ value: ids })
})

test('an import reads a retired option that an export writes, also if an active option has its label', async () => {
  expect(await exportedCell(fieldOfType('choice'), 'g')).toBe('g')
  expect(await exportedCell(fieldOfType('choice'), 'n')).toBe('Gold')
  expect(await exportedCell(fieldOfType('choices'), ['g', 'b'])).toBe('g; Bronze')
})

test('whatever the labels contain, an import reads the options that an export writes', () => {
  const labels = fc.uniqueArray(
    fc.stringMatching(/^[a:][ab;,: ]{0,6}$/).map((label) => label.trim()),
    { minLength: 1, maxLength: 5 },
  )
  fc.assert(
    fc.property(labels, fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }), (allLabels, isChosen) => {
      const field = testField('f', 'Field', {
        type: 'choices',
        options: allLabels.map((label, index) => ({ id: `id${index}`, label })),
      })
      const ids = field.options.map(({ id }) => id).filter((_, index) => isChosen[index])
      expect(readCell(field, optionsCell(field, ids))).toEqual({ value: ids.length > 0 ? ids : null })
    }),
    { numRuns: 2000 },
  )
})
