import { expect, test } from 'vitest'
import { isNoRoom } from './no-room.ts'

test('a full disk is told from other failures of a database', () => {
  expect(isNoRoom(new DOMException('The quota has been exceeded.', 'QuotaExceededError'))).toBe(true)
  expect(isNoRoom(new DOMException('A key is there already.', 'ConstraintError'))).toBe(false)
  expect(isNoRoom(null)).toBe(false)
})
