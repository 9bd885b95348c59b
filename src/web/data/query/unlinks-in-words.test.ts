import { expect, test } from 'vitest'
import type { RecordTable } from '#web/data/store/record-tables.ts'
import { unlinksInWords } from './unlinks-in-words.ts'

test.each<[[RecordTable, number][], string | null]>([
  [[], null],
  [[['deals', 1]], 'Unlinks 1 deal'],
  [
    [
      ['deals', 2],
      ['tasks', 1],
    ],
    'Unlinks 2 deals and 1 task',
  ],
  [
    [
      ['deals', 2],
      ['contacts', 3],
      ['companies', 1],
    ],
    'Unlinks 2 deals, 3 contacts and 1 company',
  ],
  [
    [
      ['deals', 2],
      ['deal_contacts', 4],
    ],
    'Unlinks 2 deals and 4 further contacts',
  ],
])('the links that a delete clears, %j, are described as: %s', (counts, words) => {
  expect(unlinksInWords({ ready: true, links: counts.map(([table, count]) => ({ table, count })) })).toBe(words)
})

test('the links that a delete clears are not described while they are counted', () => {
  expect(unlinksInWords({ ready: false, links: [{ table: 'deals', count: 2 }] })).toBeNull()
})
