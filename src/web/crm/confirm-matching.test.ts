import { expect, test } from 'vitest'
import { canUndo } from './confirm-matching.tsx'

const resultOf = (count: number, valueOf: (index: number) => unknown) => ({
  ids: Array.from({ length: count }, (_, index) => String(index)),
  replaced: Array.from({ length: count }, (_, index) => ({ 'custom.a': valueOf(index) })),
})

test('a change of all matching records can be undone for up to 5,000 records, and for up to 300 different former values', () => {
  expect(canUndo(resultOf(0, () => null))).toBe(false)
  expect(canUndo(resultOf(5000, (index) => index % 300))).toBe(true)
  expect(canUndo(resultOf(5000, (index) => index % 301))).toBe(false)
  expect(canUndo(resultOf(5001, () => null))).toBe(false)
})
