import { expect, test } from 'vitest'
import { checkAddress, inviteSchema } from './invite-schema.ts'

test.each([
  [' tom@muster.example ', 'tom@muster.example'],
  ['Tom Hale <tom@muster.example>', 'tom@muster.example'],
  ['mailto:tom@muster.example', 'tom@muster.example'],
])('the email address in "%s" is %s', (typed, email) => {
  expect(inviteSchema.parse({ email: typed, role: 'member' })).toEqual({ email, role: 'member' })
  expect(checkAddress(typed)).toBeUndefined()
})

test.each([
  'nonsense',
  '@muster.example',
  'Tom Hale <tom>',
  'a@muster.example, b@muster.example',
  'tom@ muster.example',
])('"%s" is not an email address', (typed) => {
  expect(inviteSchema.safeParse({ email: typed, role: 'member' }).error?.issues.map(({ message }) => message)).toEqual([
    'This is not an email address',
  ])
  expect(checkAddress(typed)).toBe('This is not an email address')
})

test('an email address is required when the form is submitted', () => {
  expect(inviteSchema.safeParse({ email: ' ', role: 'member' }).error?.issues[0]?.message).toBe('Email is required')
  expect(checkAddress(' ')).toBeUndefined()
})
