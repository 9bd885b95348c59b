import { expect, test } from 'vitest'
import { parseListSearch } from './list-search.ts'

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
  [{ owner: 'none' }, { owner: 'none' }],
  [{ owner: '5f0c1a52-8d3e-4b6a-9f57-0d6a3c1b2e4f' }, { owner: '5f0c1a52-8d3e-4b6a-9f57-0d6a3c1b2e4f' }],
  [{ mine: 1, owner: 'none' }, { mine: 1 }],
  [{ owner: 'Ben' }, {}],
  [{ owner: 1 }, {}],
])('the URL parameters %j are read as the search of a list', (search, read) => {
  expect(parseListSearch(search)).toEqual(read)
})
