import { expect, test } from 'vitest'
import { auditWords } from './audit-words.ts'

test('an event is a sentence after the name of who did it', () => {
  expect(auditWords({ event: 'role_changed', detail: { name: 'Callum', from: 'member', to: 'admin' } })).toBe(
    'changed the role of Callum from member to admin',
  )
  expect(auditWords({ event: 'sign_in', detail: null })).toBe('signed in')
})

test('an event of a later server is shown by its own name, and what is missing as ?', () => {
  expect(auditWords({ event: 'key_rotated', detail: null })).toBe('key rotated')
  expect(auditWords({ event: 'constructor', detail: null })).toBe('constructor')
  expect(auditWords({ event: 'member_removed', detail: {} })).toBe('removed ?')
})
