import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isEmail, readPerson } from './read-person.ts'

const anna = { email: 'anna@muster.example', phone: null, first_name: 'Anna', last_name: 'Schmidt' }
const nameless = { ...anna, first_name: null, last_name: null }

test.each([
  'Anna Schmidt <anna@muster.example>',
  '  Anna  Schmidt  < anna@muster.example > ;',
  '"Anna Schmidt" <anna@muster.example>',
  '"Schmidt, Anna" <anna@muster.example>',
  "'Anna Schmidt' <mailto:anna@muster.example>,",
  'Anna Schmidt anna@muster.example',
  'Anna Schmidt, anna@muster.example',
  'anna@muster.example (Anna Schmidt)',
])('a text is read as a name and an email address: %s', (text) => expect(readPerson(text)).toEqual(anna))

test.each([
  'anna@muster.example',
  ' anna@muster.example, ',
  '<anna@muster.example>',
  'mailto:anna@muster.example?subject=Hello',
  'anna@muster.example <anna@muster.example>',
])('a text is read as an email address alone: %s', (text) => expect(readPerson(text)).toEqual(nameless))

test.each([
  ['+49 30 1234567', { phone: '+49 30 1234567', first_name: null, last_name: null }],
  ['Uta +49 (0)30/1234-567', { phone: '+49 (0)30/1234-567', first_name: 'Uta', last_name: null }],
  ['Uta von Hof, 030 12345', { phone: '030 12345', first_name: 'Uta', last_name: 'von Hof' }],
  ['(030) 12345', { phone: '(030) 12345', first_name: null, last_name: null }],
])('a text is read as a phone number, with or without a name: %s', (text, person) =>
  expect(readPerson(text)).toEqual({ email: null, ...person }),
)

test.each(['Anna Schmidt', 'Studio 54', 'Agent 007', 'a@b c@d', 'anna@', '@', '1234'])(
  'no email address and no phone number is found in a text: %s',
  (text) => expect(readPerson(text)).toMatchObject({ email: null, phone: null }),
)

test('from any text, only valid email addresses are read, and only email addresses and phone numbers that the text contains', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'B', '1', ' ', '@', '<', '>', ',', '"', '+', '-', '(', ')') }),
      (text) => {
        const { email, phone, first_name, last_name } = readPerson(text)
        if (email !== null) expect(isEmail(email) && !/\s/.test(email)).toBe(true)
        for (const part of [email, phone]) if (part !== null) expect(text).toContain(part)
        for (const part of [first_name, last_name]) expect(part?.trim()).not.toBe('')
      },
    ),
  )
})

test('a name and an email address that were joined into one text are separated again', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'Ä', 'ß'), minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(word, word, word, (first, last, host) => {
      const email = `${first}@${host}.example`
      expect(readPerson(`${first} ${last} <${email}>`)).toEqual({
        email,
        phone: null,
        first_name: first,
        last_name: last,
      })
    }),
  )
})
