import { expect, test } from 'vitest'
import { isNoRoom } from './no-room.ts'

const named = (name: string, more: object = {}) => Object.assign(new Error(name), { name }, more)

test('a full disk is known however Dexie wraps what IndexedDB said', () => {
  const quota = named('QuotaExceededError')
  expect(isNoRoom(quota)).toBe(true)
  expect(isNoRoom(named('AbortError', { inner: quota }))).toBe(true)
  expect(isNoRoom(named('BulkError', { failures: [named('ConstraintError'), quota] }))).toBe(true)
  expect(isNoRoom(named('AbortError', { inner: named('ConstraintError') }))).toBe(false)
  expect(isNoRoom(named('DatabaseClosedError'))).toBe(false)
  expect(isNoRoom(null)).toBe(false)
})
