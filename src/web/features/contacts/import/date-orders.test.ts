import { expect, test } from 'vitest'
import { testField } from './test-field.ts'
import { ContactFile } from './contact-file.ts'
import { contactRow } from './contact-row.ts'
import { DateOrderFinder } from './date-orders.ts'

const ordersOf = (...cells: string[]) => {
  const finder = new DateOrderFinder()
  for (const cell of cells) finder.add(['a@b.example', cell])
  return finder.orders()[1]
}

test.each([
  ['a first number over 12', ['04/05/1990', '13/05/1990'], 'day-first'],
  ['a second number over 12', ['04/05/1990', '05/13/1990'], 'month-first'],
  ['dots', ['04.05.1990'], 'day-first'],
  ['dots without a year', ['4.5.'], 'day-first'],
  ['dots with a second number over 12', ['04.05.1990', '05.13.1990'], 'month-first'],
  ['a time of midnight after the date', ['04/05/1990 0:00', '13/05/1990 00:00:00'], 'day-first'],
  ['both orders', ['13/05/1990', '05/13/1990'], 'unclear'],
  ['dots, and slashes with the month first', ['04.05.1990', '05/13/1990'], 'unclear'],
  ['numbers up to 12', ['04/05/1990', '12/11/1990'], undefined],
  ['other texts', ['1990-05-13', '13 May 1990', '45.99.1990', '0/13/1990', '13/14/1990', '+13', '26-11-30'], undefined],
])('the order of the dates of a column is found: %s', (_, cells, order) => {
  expect(ordersOf(...cells)).toBe(order)
})

const born = testField('b', 'Born', { type: 'date' })

/**
 * Reads a file with a date field. `imported`: its dates as the import reads them, in batches of one row. `compared`: as the preview of changes reads
 * them. `shown`: as the preview of the first contacts reads them. A date that is left out is replaced by the reason, or by undefined in `compared`.
 */
async function datesOf(cells: readonly string[]) {
  const lines = cells.map((cell, index) => `p${index}@b.example,${cell}\n`)
  const file = new ContactFile(new Blob([`email,Born\n${lines.join('')}`]), [born])
  const result = await file.open()
  if (!result.ok) throw new Error(result.failure.sentence)
  const { columns, samples } = result.summary
  const imported = []
  for (;;) {
    const { rows, leftOut, done } = await file.next(1, columns)
    imported.push(...rows.map(({ custom }) => custom?.['b'] ?? leftOut[0]?.reason))
    if (done) break
  }
  const compared = (await file.firstRows(100, columns)).rows.map(({ custom }) => custom?.['b'])
  const shown = samples.map((record) => {
    const read = contactRow(record, columns, [born], result.summary)
    return 'row' in read ? (read.row.custom?.['b'] ?? read.leftOut[0]?.reason) : null
  })
  return { imported, compared, shown }
}

test('all dates of a column are read in one order, also those above the date that shows the order, in each preview and in the import', async () => {
  const { imported, compared, shown } = await datesOf(['04/05/1990', '12/11/1990', '25/12/1991', '05/04/1990'])
  expect(imported).toEqual(['1990-05-04', '1990-11-12', '1991-12-25', '1990-04-05'])
  expect(compared).toEqual(imported)
  expect(shown).toEqual(imported.slice(0, 3))
})

test('dates with dots are read with the day first, whatever the locale is', async () => {
  expect((await datesOf(['31.12.1980', '04.05.1990'])).imported).toEqual(['1980-12-31', '1990-05-04'])
})

test('dates with the month first are read if the file shows this order', async () => {
  expect((await datesOf(['12/31/1980', '04/05/1990'])).imported).toEqual(['1980-12-31', '1990-04-05'])
})

test('in a column with both orders, only dates with one meaning are read', async () => {
  expect((await datesOf(['13/05/1990', '05/13/1990', '04/05/1990', '04/04/1990'])).imported).toEqual([
    '1990-05-13',
    '1990-05-13',
    expect.stringMatching(/^That can be (4 May 1990 or 5 Apr 1990|5 Apr 1990 or 4 May 1990): /),
    '1990-04-04',
  ])
})
