import { expect, test } from 'vitest'
import { customColumn } from './column-words.ts'
import { aboveSentence, furtherSentences, tooLongSentences, unreadableSentences } from './row-problems.ts'

test('rows that are too long to be imported are named, with what to do', () => {
  expect(tooLongSentences([1002])).toBe(
    'Row 1,002 is longer than 500 kB and cannot be imported. Shorten its values in the file, then choose the file again.',
  )
  expect(tooLongSentences([2, 9])).toMatch(/^2 rows, the first of them row 2, are longer than 500 kB/)
})

test('the sentence about unreadable values names the rows if not all were read, and the number of listed values if not all are listed', () => {
  const first = [{ row: 5, target: customColumn('d'), label: 'Renewal', text: 'soon', reason: 'Type a date' }]
  const sentences = (count: number, done = true) =>
    unreadableSentences({ count, first, further: { count: 0, first: [] }, rows: 20_000, done })
  expect(sentences(0)).toBeNull()
  expect(sentences(1)).toBe('One value is not readable and is left out; the rows are imported.')
  expect(sentences(47)).toBe('47 values are not readable and are left out; the rows are imported. The first 1:')
  expect(sentences(1, false)).toMatch(/^In the first 20,000 rows, one value is not readable/)
  expect(sentences(2, false)).toMatch(/^In the first 20,000 rows, 2 values are not readable/)
})

test('the sentences about cells with several values are like those about unreadable values', () => {
  const first = [
    { row: 5, target: 'phone' as const, label: 'Phone', text: '0171 2', reason: 'A contact has one phone number' },
  ]
  const sentences = (count: number, done = true) =>
    furtherSentences({ count: 0, first: [], further: { count, first }, rows: 20_000, done })
  expect(sentences(0)).toBeNull()
  expect(sentences(1)).toBe('One cell has several values, of which the first is imported.')
  expect(sentences(47)).toBe('47 cells have several values, of which the first is imported. The first 1:')
  expect(sentences(1, false)).toMatch(/^In the first 20,000 rows, one cell has several values/)
})

test('the rows above the header are named', () => {
  expect(aboveSentence(1)).toBe('The first row of the file is above the column headings and is left out.')
  expect(aboveSentence(3)).toBe('The first 3 rows of the file are above the column headings and are left out.')
})
