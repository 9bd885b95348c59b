import { expect, test } from 'vitest'
import { mayRemove, roleName, rolesToGive } from './member-roles.ts'

test.each([
  ['member', 'member', ''],
  ['member', 'owner', ''],
  ['admin', 'member', 'member admin'],
  ['admin', 'admin', 'member admin'],
  ['admin', 'owner', ''],
  ['owner', 'member', 'member admin owner'],
  ['owner', 'owner', 'member admin owner'],
] as const)(
  'the person with the role %s may give a colleague with the role %s these roles: %s',
  (myRole, theirRole, roles) => {
    expect(rolesToGive(myRole, theirRole).join(' ')).toBe(roles)
    expect(mayRemove(myRole, theirRole)).toBe(roles !== '')
  },
)

test('the name of a role begins with a capital letter', () => {
  expect(roleName('owner')).toBe('Owner')
})
