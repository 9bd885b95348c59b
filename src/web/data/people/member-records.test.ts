import { expect, it } from 'vitest'
import { countsInWords, sumOfCounts } from './member-records.ts'

it.each([
  [{}, ''],
  [{ deals: 1 }, '1 deal'],
  [{ tasks: 2, deals: 1200 }, '1,200 deals and 2 tasks'],
  [{ companies: 1, contacts: 2, deals: 3, visits: 5 }, '5 records, 3 deals, 2 contacts and 1 company'],
])('the records of a member, %j, are described as: %s', (counts, words) => {
  expect(countsInWords(counts)).toBe(words)
})

it('counts of records are added table by table', () => {
  expect(sumOfCounts({ deals: 2, contacts: 5000 }, { contacts: 3, tasks: 1 })).toEqual({
    deals: 2,
    contacts: 5003,
    tasks: 1,
  })
  expect(sumOfCounts({}, null)).toEqual({})
})
