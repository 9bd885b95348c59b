import { expect, test } from 'vitest'
import { hueOf, initials } from './initials.ts'

test('the initials of a name are the first letters of its first and its last word', () => {
  expect(initials('Siân Prosser')).toBe('SP')
  expect(initials('Pieter van der Heijden')).toBe('PH')
  expect(initials('ana')).toBe('A')
  expect(initials('łukasz Żak')).toBe('ŁŻ')
})

test('the initials of an unknown name are a question mark', () => {
  for (const name of [null, undefined, '', '  ', '–']) expect(initials(name)).toBe('?')
})

test('a name always has the same hue, in any case and with spaces around it; two names can have the same hue', () => {
  expect(hueOf('Harbour & Co')).toBe(hueOf(' harbour & co '))
  expect([25, 55, 85, 120, 160, 205, 240, 270, 305, 340]).toContain(hueOf('Tern & Tide'))
  expect(hueOf('Bob Baker')).toBe(hueOf('Ana Hughes'))
})
