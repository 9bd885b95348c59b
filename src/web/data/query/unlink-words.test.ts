import { expect, test } from 'vitest'
import { unlinkWords } from './unlink-words.ts'

test.each([
  [{ deals: 0, contacts: 0, tasks: 0 }, null],
  [{ deals: 1, contacts: 0, tasks: 0 }, 'Unlinks 1 deal'],
  [{ deals: 2, contacts: 0, tasks: 1 }, 'Unlinks 2 deals and 1 task'],
  [{ deals: 2, contacts: 3, tasks: 1 }, 'Unlinks 2 deals, 3 contacts and 1 task'],
])('%j: %s', (counts, words) => {
  expect(unlinkWords(counts)).toBe(words)
})
