import { expect, test } from 'vitest'
import { mayRemove, roleName, rolesToGive } from './may-change.ts'

test.each([
  ['member', 'member', ''],
  ['member', 'owner', ''],
  ['admin', 'member', 'member admin'],
  ['admin', 'admin', 'member admin'],
  ['admin', 'owner', ''],
  ['owner', 'member', 'member admin owner'],
  ['owner', 'owner', 'member admin owner'],
] as const)('the role %s may give the role %s: %s', (mine, theirs, roles) => {
  expect(rolesToGive(mine, theirs).join(' ')).toBe(roles)
  expect(mayRemove(mine, theirs)).toBe(roles !== '')
})

test('roles are written with an article, and as capitalised names', () => {
  expect(roleName('owner')).toBe('Owner')
})
