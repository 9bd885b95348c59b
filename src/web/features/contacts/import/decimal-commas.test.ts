import { expect, test } from 'vitest'
import { ContactFile } from './contact-file.ts'
import { testField } from './test-field.ts'

const fields = [testField('s', 'Size', { type: 'number' }), testField('m', 'Sales', { type: 'money', currency: 'EUR' })]

/** Imports a file with these values of a custom field, and returns the values as they are sent. */
async function readColumn(head: string, values: readonly string[]) {
  const content = `email;${head}\n${values.map((value, index) => `p${index}@x.example;${value}\n`).join('')}`
  const file = new ContactFile(new Blob([content]), fields)
  const result = await file.open()
  if (!result.ok) throw new Error(result.failure.sentence)
  const { rows } = await file.next(500, result.summary.columns)
  return rows.map(({ custom }) => custom?.s ?? custom?.m)
}

test.each([
  ['a comma after points', ['1.234', '1,234', '1.234,5'], [1234, 1.234, 1234.5]],
  ['two points', ['1.234', '-1.250', '12', '1.234.567'], [1234, -1250, 12, 1_234_567]],
  ['a comma before another number of digits than three', ['12.000', '1.250 €', '2,5'], [12_000, 1250, 2.5]],
  ['a comma after a zero', ['12.000', '0,125'], [12_000, 0.125]],
  ['a point before another number of digits than three', ['1.234', '1,234', '2.5'], [1.234, 1234, 2.5]],
  ['nothing', ['1.234', '1,234', '12'], [1.234, 1234, 12]],
  ['both marks', ['1.234', '1,234', '2.5', '2,5'], [1.234, 1234, 2.5, 2.5]],
  [
    'a comma, also before thousands and millions',
    ['1,234k', '1.234 K', '-1,234m €', '12,5'],
    [1234, 1_234_000, -1_234_000, 12.5],
  ],
  ['a comma in a number of thousands', ['12.000', '12,5k'], [12_000, 12_500]],
  ['both marks, one of them in a number of millions', ['1.234', '1,234', '2.5m', '2,5'], [1.234, 1234, 2_500_000, 2.5]],
  [
    'nothing, because three digits before thousands show no mark',
    ['1,234k', '1.234k', '12.000'],
    [1_234_000, 1234, 12],
  ],
])(
  'the numbers of a column are read by the decimal mark that the whole column shows: %s',
  async (_, values, numbers) => {
    expect(await readColumn('Size', values)).toEqual(numbers)
  },
)

test('in a column of amounts a mark before three digits separates thousands, whatever the column shows', async () => {
  expect(await readColumn('Sales', ['12.000', '1,250', '2,5'])).toEqual([12_000, 1250, 2.5])
})
