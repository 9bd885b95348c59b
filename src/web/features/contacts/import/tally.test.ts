import { expect, test } from 'vitest'
import { customColumn } from './column-words.ts'
import type { ReadRow } from './contact-row.ts'
import { Tally } from './tally.ts'

const sentRow = (row: number, email: string | null): ReadRow => ({
  row,
  email,
  phone: '1',
  first_name: null,
  last_name: null,
  title: null,
  company: null,
})
const rowOutcome = (row: number, parts: object) => ({
  row,
  status: 'created' as const,
  id: `id ${row}`,
  reason: null,
  ...parts,
})
const leftOutCell = (row: number) => ({
  row,
  target: customColumn('s'),
  label: 'Size',
  text: 'many',
  reason: 'Type a number',
})

test('rows to correct are the skipped rows and the imported rows of which a value was left out', () => {
  const tally = new Tally(6, [], () => {})
  tally.addSkipped([{ row: 2, content: '', reason: 'Email or phone number is required' }])
  tally.addSent([3, 4, 5, 6].map((row) => sentRow(row, row === 4 ? null : 'a@b.example')))
  tally.addLeftOut([leftOutCell(3), leftOutCell(4), leftOutCell(5), leftOutCell(6)])
  tally.addOutcomes([
    rowOutcome(3, { left_out_values: [{ field: 'Notes', reason: 'Too long' }] }),
    rowOutcome(4, {}),
    rowOutcome(5, { status: 'error', id: null, reason: 'Email is not valid' }),
  ])
  expect([...tally.corrections]).toEqual([
    [2, { reason: 'Email or phone number is required' }],
    [3, { reason: 'Size: Type a number; Notes: Too long' }],
    // Without an email address, only the id identifies the contact.
    [4, { reason: 'Size: Type a number', contactId: 'id 4', unset: ['custom.s'] }],
    [5, { reason: 'Email is not valid; Size: Type a number' }],
  ])
  // Counts only imported rows. The server sent no outcome for row 6.
  expect(tally.leftOutCells).toBe(3)
  expect(tally.leftOutList().map(({ row, content }) => [row, content])).toEqual([
    [3, 'Size: many'],
    [3, 'Notes'],
    [4, 'Size: many'],
  ])
  expect([tally.imported, tally.skipped]).toEqual([2, 2])
})

test('a value that was left out does not count if a later row of the same contact has a value for its field', () => {
  const tally = new Tally(4, [], () => {})
  const row = (number: number, size: number | null) => ({
    ...sentRow(number, 'a@b.example'),
    ...(size !== null && { custom: { s: size } }),
  })
  tally.addSent([row(2, null), row(3, null), row(4, 5), row(5, null)])
  tally.addRepeated([3, 4, 5].map((row) => ({ row, first: 2 })))
  tally.addLeftOut([
    leftOutCell(2),
    leftOutCell(3),
    { ...leftOutCell(3), target: 'phone', label: 'Phone', isFurther: true },
  ])
  tally.addLeftOut([leftOutCell(5)])
  tally.addOutcomes([rowOutcome(2, {}), rowOutcome(3, { status: 'updated' })])
  expect([...tally.corrections.keys()]).toEqual([2, 3])
  expect(tally.leftOutCells).toBe(3)
  tally.addOutcomes([4, 5].map((row) => rowOutcome(row, { status: 'updated' })))
  // The later rows have a phone number, too, but not the further one of row 3, which is in no contact.
  expect([...tally.corrections]).toEqual([[5, { reason: 'Size: Type a number', unset: ['custom.s'] }]])
  expect(tally.leftOutCells).toBe(2)
  expect(tally.leftOutList().map(({ row }) => row)).toEqual([3, 5])
})
