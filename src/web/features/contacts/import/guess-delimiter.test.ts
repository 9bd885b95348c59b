import { expect, test } from 'vitest'
import { guessDialect } from './guess-delimiter.ts'
import { mapColumns } from './map-columns.ts'

test.each([
  ['email,first_name,last_name,company\na@b.c,A,B,"C; D"\n', ','],
  ['E-Mail;First Name;Last Name\na@b.c;A, B;C\n', ';'],
  ['email\tcompany\na@b.c\tX, Y and Z\n', '\t'],
  ['"email";"company"\n"a@b.c";"x,y"\n', ';'],
  ['one;two;three\n1;2;3\n', ';'],
  ['email\na@b.c\n', ','],
  ['', ','],
])('%j is separated by %j', (text, delimiter) => {
  expect(guessDialect(text)).toEqual({ delimiter, skipFirst: false })
})

test('a first line that states the delimiter decides', () => {
  expect(guessDialect('sep=|\r\nemail|company\r\n')).toEqual({ delimiter: '|', skipFirst: true })
})

test('columns are found in any case and order, and under the names of other programs', () => {
  expect(mapColumns(['Company', 'LAST NAME', 'E-mail', 'First_Name'])).toEqual({
    email: 2,
    first_name: 3,
    last_name: 1,
    company: 0,
  })
  const google = ['First Name', 'Middle Name', 'Last Name', 'Organization Name', 'E-mail 1 - Label', 'E-mail 1 - Value']
  expect(mapColumns(google)).toEqual({ email: 5, first_name: 0, last_name: 2, company: 3 })
})

test('of two equal headers the first one counts; names of object properties are ordinary headers', () => {
  expect(mapColumns(['__proto__', 'email', 'email', 'constructor'])).toEqual({
    email: 1,
    first_name: -1,
    last_name: -1,
    company: -1,
  })
})
