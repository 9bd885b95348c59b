import { expect, test } from 'vitest'
import { compareNames } from './collator.ts'

test('names sort as people sort them', () => {
  const names = ['zoe', 'Émile', 'emma', 'Ana', 'ana 10', 'ana 9']
  expect(names.sort(compareNames)).toEqual(['Ana', 'ana 9', 'ana 10', 'Émile', 'emma', 'zoe'])
})
