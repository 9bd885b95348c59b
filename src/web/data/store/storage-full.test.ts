import { expect, test } from 'vitest'
import { isStorageFullError } from './storage-full.ts'

test('a full storage differs from other failures of a database', () => {
  expect(isStorageFullError(new DOMException('The quota has been exceeded.', 'QuotaExceededError'))).toBe(true)
  expect(isStorageFullError(new DOMException('A key is there already.', 'ConstraintError'))).toBe(false)
  expect(isStorageFullError(null)).toBe(false)
})
