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
] as const)('a %s gives a %s: %s', (mine, theirs, roles) => {
  expect(rolesToGive(mine, theirs).join(' ')).toBe(roles)
  expect(mayRemove(mine, theirs)).toBe(roles !== '')
})

test('a role as a word', () => {
  expect(roleName('owner')).toBe('Owner')
})
