import { expect, test } from 'vitest'
import { ContactFile } from './contact-file.ts'
import { commaSentence } from './decimal-commas.ts'
import { testField } from './test-field.ts'

const fields = [testField('s', 'Size', { type: 'number' }), testField('m', 'Sales', { type: 'money', currency: 'EUR' })]

async function openColumn(head: string, values: readonly string[]) {
  const content = `email;${head}\n${values.map((value, index) => `p${index}@x.example;${value}\n`).join('')}`
  const file = new ContactFile(new Blob([content]), fields)
  const result = await file.open()
  if (!result.ok) throw new Error(result.failure.sentence)
  return { file, summary: result.summary }
}

/** Imports a file with these values of a custom field, and returns the values as they are sent. */
async function readColumn(head: string, values: readonly string[]) {
  const { file, summary } = await openColumn(head, values)
  const { rows } = await file.next(500, summary.columns)
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

test('before the import, the page says which number decides that the commas of a column are decimal marks', async () => {
  const sentenceOf = async (head: string, values: readonly string[], field = fields[0]) => {
    const { summary } = await openColumn(head, values)
    return commaSentence(summary.decimalCommas, 1, field)
  }
  const values = ['1,234', '1,250', ' 12,5 € ', '7,5', '1,300']
  expect(await sentenceOf('Size', values)).toBe(
    'Commas are read as decimal marks and points as thousands separators, because of “12,5 €”.',
  )
  expect(await sentenceOf('Size', ['1,234', '1,250'])).toBeNull()
  expect(await sentenceOf('Size', [...values, '2.5'])).toBeNull()
  // In a column of amounts, each amount is read alone.
  expect(await sentenceOf('Sales', values, fields[1])).toBeNull()
})
