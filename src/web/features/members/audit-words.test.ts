import { expect, test } from 'vitest'
import { auditWords } from './audit-words.ts'

test('an event is described by words that follow the name of the person', () => {
  expect(auditWords({ event: 'role_changed', detail: { name: 'Callum', from: 'member', to: 'admin' } })).toBe(
    'changed the role of Callum from member to admin',
  )
  expect(auditWords({ event: 'sign_in', detail: null })).toBe('signed in')
})

test("the words for an event without an email address say 'somebody' or need no address", () => {
  expect(auditWords({ event: 'invitation_sent', detail: { role: 'admin' } })).toBe('invited somebody as admin')
  expect(auditWords({ event: 'invitation_withdrawn', detail: null })).toBe('withdrew the invitation of somebody')
  expect(auditWords({ event: 'email_changed', detail: null })).toBe('changed their email')
})

test("the words about a member without a name, whose account was deleted, say 'somebody'", () => {
  expect(auditWords({ event: 'member_removed', detail: {} })).toBe('removed somebody')
  expect(auditWords({ event: 'member_added', detail: { role: 'member' } })).toBe('added somebody as member')
  expect(auditWords({ event: 'role_changed', detail: { from: 'member', to: 'admin' } })).toBe(
    'changed the role of somebody from member to admin',
  )
})

test('an invitation that was sent again is described with its role, or with the change of its role', () => {
  const email = 'nia@acme.example'
  expect(auditWords({ event: 'invitation_sent_again', detail: { email, role: 'admin' } })).toBe(
    'sent the invitation of nia@acme.example as admin again',
  )
  expect(auditWords({ event: 'invitation_role_changed', detail: { email, from: 'member', to: 'owner' } })).toBe(
    'changed the role in the invitation of nia@acme.example from member to owner',
  )
})

test('the sentence about an ended invitation says that its sender may no longer invite', () => {
  const detail = { email: 'nia@acme.example', reason: 'inviter_gone' }
  expect(auditWords({ event: 'invitation_withdrawn', detail })).toBe(
    'ended the invitation of nia@acme.example: whoever sent it may no longer invite',
  )
})

test('an unknown event is shown by its name, and a missing value as ?', () => {
  expect(auditWords({ event: 'key_rotated', detail: null })).toBe('key rotated')
  expect(auditWords({ event: 'constructor', detail: null })).toBe('constructor')
  expect(auditWords({ event: 'member_joined', detail: {} })).toBe('joined as ?')
})
