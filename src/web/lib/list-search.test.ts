import { expect, test } from 'vitest'
import { listSearch } from './list-search.ts'

test.each([
  [{}, {}],
  [{ mine: 1 }, { mine: 1 }],
  [
    { mine: '1', sort: 'name' },
    { mine: 1, sort: 'name' },
  ],
  [
    { show: 'overdue', new: 1 },
    { show: 'overdue', new: 1 },
  ],
  [{ mine: 'yes', sort: 3, show: '', new: 2, other: 'x' }, {}],
])('%j', (search, read) => {
  expect(listSearch(search)).toEqual(read)
})
