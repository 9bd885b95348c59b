import { expect, test } from 'vitest'
import { offerWords, pendingRole } from './pending-role.ts'

test('the role of a pending invitation is found by its address, in any spelling', () => {
  const invited = [
    { email: 'nia@acme.example', role: 'admin' as const },
    { email: 'tom@acme.example', role: 'member' as const },
  ]
  expect(pendingRole(invited, ' Nia@Acme.example')).toBe('admin')
  expect(pendingRole(invited, 'tom@acme.example')).toBe('member')
  expect(pendingRole(invited, 'other@acme.example')).toBeNull()
})

test('the offer names the role of a pending invitation, and a changed role', () => {
  expect(offerWords('member', null)).toBe('has no account yet. Invite them as Member?')
  expect(offerWords('admin', 'admin')).toBe('is already invited as Admin. Invite them again?')
  expect(offerWords('member', 'admin')).toBe('is already invited as Admin. Invite them as Member instead?')
})
