import { expect, it } from 'vitest'
import { withoutAddresses } from './without-addresses.ts'

it('every e-mail address is removed from a mail server’s message, with and without brackets, and a long message is truncated', () => {
  expect(withoutAddresses('550 <ana@example.com>: user "bo.b@x.example" unknown')).toBe('550 <…>: user "…" unknown')
  expect(withoutAddresses('x '.repeat(1000))).toHaveLength(500)
})

it('a message of 3 million characters is searched for addresses in little time', () => {
  expect(withoutAddresses('x'.repeat(3_000_000))).toBe('x'.repeat(500))
})
