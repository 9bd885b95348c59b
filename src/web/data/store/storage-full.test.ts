import { expect, test } from 'vitest'
import { isStorageFullError } from './storage-full.ts'

test('only an exceeded quota counts as full storage', () => {
  expect(isStorageFullError(new DOMException('The quota has been exceeded.', 'QuotaExceededError'))).toBe(true)
  expect(isStorageFullError(new DOMException('A key is there already.', 'ConstraintError'))).toBe(false)
  expect(isStorageFullError(null)).toBe(false)
})
