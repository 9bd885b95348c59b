import { expect, test } from 'vitest'
import { countOf } from './count.ts'

test('a count is followed by the singular or the plural of its noun, and has a plus sign if it is only a lower limit', () => {
  expect(countOf(1, 'contact', 'contacts')).toBe('1 contact')
  expect(countOf(1284, 'contact', 'contacts')).toBe('1,284 contacts')
  expect(countOf(1000, 'contact', 'contacts', true)).toBe('1,000+ contacts')
})
