import { expect, test } from 'vitest'
import { countOf } from './count.ts'

test('a count uses the word for one or many, and a plus if there are more', () => {
  expect(countOf(1, 'contact', 'contacts')).toBe('1 contact')
  expect(countOf(1284, 'contact', 'contacts')).toBe('1,284 contacts')
  expect(countOf(1000, 'contact', 'contacts', true)).toBe('1,000+ contacts')
})
