import { expect, it } from 'vitest'
import { withoutAddresses } from './without-addresses.ts'

it('removes every address, with and without brackets, and truncates a long text', () => {
  expect(withoutAddresses('550 <ana@example.com>: user "bo.b@x.example" unknown')).toBe('550 <…>: user "…" unknown')
  expect(withoutAddresses('x '.repeat(1000))).toHaveLength(500)
})

it('takes little time for a very long text', () => {
  expect(withoutAddresses('x'.repeat(3_000_000))).toBe('x'.repeat(500))
})
