import { expect, test } from 'vitest'
import { ContactFile } from './contact-file.ts'
import { tagNames } from './several-values.ts'
import { Tally } from './tally.ts'
import { testField } from './test-field.ts'

test.each([
  ['* myContacts ::: Friends', 'Friends'],
  ['* myContacts', ''],
  ['* Friends ::: VIP', 'VIP'],
  ['* VIP; Friends', '* VIP; Friends'],
  ['* VIP, Friends', '* VIP, Friends'],
  ['* VIP', '* VIP'],
])('of the tags %s, only the groups of Google Contacts itself are left out: %s', (cell, names) => {
  expect(tagNames(cell)).toBe(names)
})

test('the further values of a cell are reported: before the import, with each row, and in the download', async () => {
  const text = [
    'E-mail 1 - Value,Phone 1 - Value,Organization Title,Organization Name,Site',
    'ida@x.example ::: holm@x.example ::: h@x.example,040 1 ::: 0171 2,Chef ::: Rat,Nord ::: Süd,a.example ::: b.example',
    'bo@x.example ::: bo@x.example,040 3 :::,,A:::B,',
  ].join('\n')
  const fields = [testField('w', 'Site', { type: 'link' })]
  const file = new ContactFile(new Blob([text]), fields)
  const result = await file.open()
  if (!result.ok) throw new Error(result.failure.sentence)
  const { columns } = result.summary
  const further = [
    { label: 'Email', text: 'holm@x.example, h@x.example', reason: 'A contact has one email address' },
    { label: 'Phone', text: '0171 2', reason: 'A contact has one phone number' },
    { label: 'Job title', text: 'Rat', reason: 'A contact has one job title' },
    { label: 'Company', text: 'Süd', reason: 'A contact has one company' },
    { label: 'Site', text: 'b.example', reason: 'The field has one link' },
  ]
  const counted = await file.unreadableValues(100, columns)
  expect(counted).toMatchObject({ count: 0, first: [], further: { count: 5, first: further } })
  const { rows, leftOut } = await file.next(500, columns)
  expect(leftOut).toMatchObject(further.map((cell) => ({ row: 2, isFurther: true, ...cell })))
  const tally = new Tally(2, fields, () => {})
  tally.addSent(rows)
  tally.addLeftOut(leftOut)
  tally.addOutcomes(rows.map(({ row }) => ({ row, status: 'created', id: `id ${row}`, reason: null })))
  expect(tally.leftOutCells).toBe(5)
  expect(tally.leftOutList()[0]).toMatchObject({ row: 2, content: 'Email: holm@x.example, h@x.example' })
  const lines = (await (await file.correctionFile(tally.corrections, columns)).text()).split('\r\n')
  expect(lines[1]).toMatch(
    /^ida@x.example ::: holm@x.example ::: h@x.example,040 1 ::: 0171 2,Chef ::: Rat,Nord ::: Süd,/,
  )
  expect(lines[2]).toBe('')
})

test('the values of a row that this app exported are not split', async () => {
  const id = '8a9a8b1e-3d6f-4e0f-9a51-1d2c3b4a5f60'
  const file = new ContactFile(new Blob([`email,company,Banyan ID\nida@x.example,Nord ::: Süd,${id}\n`]))
  const result = await file.open()
  if (!result.ok) throw new Error(result.failure.sentence)
  expect((await file.next(500, result.summary.columns)).leftOut).toEqual([])
})
