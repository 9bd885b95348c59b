import { expect, test } from 'vitest'
import { ContactFile } from './contact-file.ts'
import { noColumns } from './map-columns.ts'

async function openText(text: string) {
  const file = new ContactFile(new Blob([text]))
  const result = await file.open()
  if (!result.ok) throw new Error(result.failure.sentence)
  return { file, summary: result.summary }
}

const linkedIn = [
  'Notes:',
  '"When exporting your connection data, you may notice that some of the email addresses are missing.',
  'You can learn more here https://www.linkedin.com/help"',
  '',
  'First Name,Last Name,URL,Email Address,Company,Position,Connected On',
  'Ida,Holm,https://www.linkedin.com/in/ida,ida@x.example,Nord,Chef,21 Nov 2026',
  'Bo,Ek,https://www.linkedin.com/in/bo,,Süd,Rat,20 Nov 2026',
].join('\n')

test("the header of LinkedIn's file of connections is found below its notes; rows keep their numbers", async () => {
  const { file, summary } = await openText(linkedIn)
  expect(summary).toMatchObject({ rows: 2, rowsAbove: 3, headless: false, understood: false, tooWide: { count: 0 } })
  expect(summary.columns).toEqual({ ...noColumns, first_name: 0, last_name: 1, email: 3, company: 4, title: 5 })
  expect(summary.samples.map(({ row }) => row)).toEqual([5, 6])
  const { rows, skipped } = await file.next(500, summary.columns)
  expect(rows).toMatchObject([{ row: 5, email: 'ida@x.example', company: 'Nord' }])
  expect(skipped.map(({ row }) => row)).toEqual([6])
  const text = await (await file.correctionFile(new Map([[6, { reason: 'x' }]]), summary.columns)).text()
  expect(text.split('\r\n').slice(0, 2)).toEqual([
    'First Name,Last Name,URL,Email Address,Company,Position,Connected On,Left out because',
    'Bo,Ek,https://www.linkedin.com/in/bo,,Süd,Rat,20 Nov 2026,Row 6: x',
  ])
})

test.each([
  ['a title', 'Table 1\nName,Phone\nIda,0171 5554433\n', 1],
  ['a title and another delimiter', 'Kunden, 2024\n\nName;Phone\nIda;0171 5554433\n', 2],
  ['a line that names the delimiter, and a title', 'sep=;\nKunden;\nName;Phone\nIda;0171 5554433\n', 1],
  ['groups of columns', 'Company,,\nName,Phone,Email\nIda,0171 5554433,\n', 1],
])('the header is found below %s', async (_, text, rowsAbove) => {
  const { file, summary } = await openText(text)
  expect(summary).toMatchObject({ rows: 1, rowsAbove, understood: false })
  const { rows } = await file.next(500, summary.columns)
  expect(rows).toMatchObject([{ row: rowsAbove + 2, phone: '0171 5554433' }])
})

test.each([
  ['the first row names columns', 'Name,Company\nEmail,Phone\nIda,0171 5554433\n'],
  ['a row above the header is a contact', 'Ida,ida@x.example\nName,Email\nBo,bo@x.example\n'],
  ['the header is far below', `${'Title\n'.repeat(10)}Name,Email\nBo,bo@x.example\n`],
])('no row is left out if %s', async (_, text) => {
  expect((await openText(text)).summary.rowsAbove).toBe(0)
})

test('if the person chooses that the first row of such a file is a contact, no row is left out; the person can choose the header again', async () => {
  const { file } = await openText(linkedIn)
  expect(await file.readFirstRowAs(true)).toMatchObject({ summary: { rows: 5, rowsAbove: 0, headless: true } })
  expect(await file.readFirstRowAs(false)).toMatchObject({ summary: { rows: 2, rowsAbove: 3, headless: false } })
})
