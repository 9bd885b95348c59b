import { expect, test } from 'vitest'
import { tooLongSentences } from './row-problems.ts'

test('rows that are too long to be imported are named, with what to do', () => {
  expect(tooLongSentences([1002])).toBe(
    'Row 1,002 is longer than 500 kB and cannot be imported. Shorten its values in the file, then choose the file again.',
  )
  expect(tooLongSentences([2, 9])).toMatch(/^2 rows, the first of them row 2, are longer than 500 kB/)
})
