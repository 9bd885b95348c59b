import { expect, test } from 'vitest'
import { chunksBySize } from './chunks-by-size.ts'

const sizesOf = (rows: readonly string[], maxBytes: number) =>
  [...chunksBySize(rows, maxBytes)].map(({ rows, bytes }) => [rows.join(' '), bytes])

test('rows are split in their order, and their bytes are counted, not their characters', () => {
  expect(sizesOf([], 10)).toEqual([])
  expect(sizesOf(['a', 'b', 'c'], 8)).toEqual([
    ['a b', 8],
    ['c', 4],
  ])
  // 'ü' has two bytes in UTF-8. '"' has two because JSON escapes it.
  expect(sizesOf(['ü', '"', 'c'], 9)).toEqual([
    ['ü', 5],
    ['" c', 9],
  ])
})

test('a row that is too large is a chunk by itself', () => {
  expect(sizesOf(['a', 'twelve bytes', 'b'], 8)).toEqual([
    ['a', 4],
    ['twelve bytes', 15],
    ['b', 4],
  ])
})
