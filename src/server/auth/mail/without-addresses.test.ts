import { expect, it } from 'vitest'
import { withoutAddresses } from './without-addresses.ts'

it('leaves out every address, in brackets or not, and what is long', () => {
  expect(withoutAddresses('550 <ana@example.com>: user "bo.b@x.example" unknown')).toBe('550 <…>: user "…" unknown')
  expect(withoutAddresses('x '.repeat(1000))).toHaveLength(500)
})

it('takes no time over a text without end', () => {
  expect(withoutAddresses('x'.repeat(3_000_000))).toBe('x'.repeat(500))
})
