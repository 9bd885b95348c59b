import { expect, it } from 'vitest'
import { telUri } from './tel-uri.ts'

it.each([
  ['+49 (0)30 1234567', 'tel:+49301234567'],
  ['0049 (0) 30 / 123', 'tel:004930'],
  ['(030) 123-45.67', 'tel:0301234567'],
  ['020 7946 0958 ext. 12', 'tel:02079460958;ext=12'],
  ['020 7946 0958 x12', 'tel:02079460958;ext=12'],
  ['0171 555 111 / 0172 666 222', 'tel:0171555111'],
  ['0171 555 111; 0172 666 222', 'tel:0171555111'],
  ['Office: 030 123', 'tel:030123'],
])('the phone number %s is called as %s', (phone, uri) => {
  expect(telUri(phone)).toBe(uri)
})
