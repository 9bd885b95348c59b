import { expect, test } from 'vitest'
import { guessDialect } from './guess-dialect.ts'

test.each([
  ['email,first_name,last_name,company\na@b.c,A,B,"C; D"\n', ','],
  ['E-Mail;First Name;Last Name\na@b.c;A, B;C\n', ';'],
  ['email\tcompany\na@b.c\tX, Y and Z\n', '\t'],
  ['"email";"company"\n"a@b.c";"x,y"\n', ';'],
  ['one;two;three\n1;2;3\n', ';'],
  ['email\na@b.c\n', ','],
  ['Kundenliste, Stand 2024\n\nName;E-Mail\nIda;a@b.c\n', ';'],
  ['', ','],
])('the cells of %j are separated by %j', (text, delimiter) => {
  expect(guessDialect(text)).toEqual({ delimiter, skipFirst: false })
})

test('if the first line of a file only names the delimiter, that delimiter is used and the line is skipped', () => {
  expect(guessDialect('sep=|\r\nemail|company\r\n')).toEqual({ delimiter: '|', skipFirst: true })
})
