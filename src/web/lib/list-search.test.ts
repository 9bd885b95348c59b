import { expect, test } from 'vitest'
import { listSearch } from './list-search.ts'

test.each([
  [{}, {}],
  [{ mine: 1 }, { mine: 1 }],
  [
    { mine: '1', sort: 'name' },
    { mine: 1, sort: 'name' },
  ],
  [{ mine: 'yes', sort: 3, other: 'x' }, {}],
])('%j', (search, read) => {
  expect(listSearch(search)).toEqual(read)
})
