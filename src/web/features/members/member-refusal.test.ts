import { expect, test } from 'vitest'
import { refusalText } from './member-refusal.ts'

test.each([
  ['LAST_OWNER', 'BY001', 'A brand keeps at least one owner. Make somebody else an owner first.'],
  ['USER_NOT_FOUND', 'P0001', 'This person is no longer a member of this brand.'],
  ['NOT_AUTHORIZED', 'P0001', 'Your role in this brand does not allow it.'],
  ['new row violates row-level security policy', '42501', 'Your role in this brand does not allow it.'],
  ['The disk is full', '53100', 'The disk is full'],
])('a refused change of a member is explained: %s: %s', (message, code, sentence) => {
  expect(refusalText({ message, code })).toBe(sentence)
})
