import { expect, test } from 'vitest'
import { canUndo } from './confirm-matching.tsx'

const resultOf = (count: number, valueOf: (index: number) => unknown) => ({
  change: { custom: { a: 'new' } },
  ids: Array.from({ length: count }, (_, index) => String(index)),
  replaced: Array.from({ length: count }, (_, index) => ({ 'custom.a': valueOf(index) })),
})

test('a change of all matching records can be undone for up to 5,000 records, and for up to 300 different former values', () => {
  expect(canUndo(resultOf(0, () => null))).toBe(false)
  expect(canUndo(resultOf(5000, (index) => index % 300))).toBe(true)
  expect(canUndo(resultOf(5000, (index) => index % 301))).toBe(false)
  expect(canUndo(resultOf(5001, () => null))).toBe(false)
})

test('a change of tags can be undone for any number of former tag sets, because Undo writes only the changed tags', () => {
  const tagResult = (setOf: (index: number) => string[], addedTags: readonly string[]) => ({
    change: { add_tags: addedTags, remove_tags: ['vip'] },
    ids: Array.from({ length: 400 }, (_, index) => String(index)),
    replaced: Array.from({ length: 400 }, (_, index) => ({ tag_ids: setOf(index) })),
  })
  expect(canUndo(tagResult((index) => ['vip', `tag ${index}`], ['fair']))).toBe(true)
  // If each record had another one of 400 added tags, Undo writes 400 different values.
  const addedTags = Array.from({ length: 400 }, (_, index) => `tag ${index}`)
  expect(canUndo(tagResult((index) => [`tag ${index}`], addedTags))).toBe(false)
})
