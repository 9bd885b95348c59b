import { expect, it } from 'vitest'
import { telUri } from './tel-uri.ts'

it.each([
  ['+49 (0)30 1234567', 'tel:+49301234567'],
  ['0049 (0) 30 / 123', 'tel:004930123'],
  ['+49 (0)30 / 123-45', 'tel:+493012345'],
  ['033661/1234', 'tel:0336611234'],
  ['(030) 123-45.67', 'tel:0301234567'],
  ['+1 (212) 555-0100', 'tel:+12125550100'],
  ['(+49) 30 1234567', 'tel:+49301234567'],
  ['\u202a+49 30 1234567\u202c', 'tel:+49301234567'],
  ['112', 'tel:112'],
  ['020 7946 0958 ext. 12', 'tel:02079460958;ext=12'],
  ['020 7946 0958 x12', 'tel:02079460958;ext=12'],
  ['tel: +44 20 7946 0000 ext. 12', 'tel:+442079460000;ext=12'],
  ['tel:+44-20-7946-0000;ext=12', 'tel:+442079460000;ext=12'],
  ['Office 2: 030 123', 'tel:030123'],
  ['Office: 030 123', 'tel:030123'],
  ['Mobil 0171 555 111', 'tel:0171555111'],
  ['0171 555 111 / 0172 666 222', 'tel:0171555111'],
  ['+49 171 555 111/+49 172 666 222', 'tel:+49171555111'],
  ['555 111 / 0172 666 2222', 'tel:555111'],
  ['0171 555 111; 0172 666 222', 'tel:0171555111'],
  ['0171 555 111 mobile: 0172 666 222', 'tel:0171555111'],
  ['555 123 / 555 124', 'tel:555123'],
  ['4711 / 4712', 'tel:4711'],
  ['212/555-0100', 'tel:2125550100'],
  ['ext. 4711', 'tel:4711'],
  ['0171 2345678 -privat', 'tel:01712345678'],
])('the phone number %s is called as %s', (phone, uri) => {
  expect(telUri(phone)).toBe(uri)
})

it.each([
  ['a number that a spreadsheet has rounded', '4.47911E+11'],
  ['a rounded number with a decimal comma', '4,47911e11'],
  ['a number that continues in letters', '1-800-FLOWERS'],
  ['a text without digits', 'ask Anna'],
  ['a single digit', 'x 1'],
  ['more digits than a phone number has', '030 12345678 0171 55511122'],
])('%s cannot be called', (_, phone) => {
  expect(telUri(phone)).toBeNull()
})
