import { expect, test } from 'vitest'
import { cellForm, columnOfDigits, columnsByValues } from './columns-by-values.ts'

test.each([
  ['ida@nord.example', 'email'],
  [' "Holm, Ida" <ida@nord.example> ', 'email'],
  ['ida@intranet', 'local'],
  ['E-M@il', 'local'],
  ['a@x.example, b@x.example', null],
  ['+49 30 1234567', 'phone'],
  ["'+49 30 1234567", 'phone'],
  ['(030) 123 45-67', 'phone'],
  ['0171/5554433', 'phone'],
  ['1715554433', 'phone'],
  ['Ida Holm +49 30 1234567', null],
  ['10115', null],
  ['2024-01-15', null],
  ['15.01.2024', null],
  ['1200000.50', null],
  ['1.200.000', null],
  ['1234567890123456', null],
  ['', null],
  ['Phone', null],
] as const)('the cell %j identifies a contact by: %s', (cell, form) => {
  expect(cellForm(cell)).toBe(form)
})

test('a column is found if at least half of its values have the form; of several such columns, the one with the most different values is used', () => {
  const noColumns = { email: -1, phone: -1 }
  expect(columnsByValues([])).toEqual(noColumns)
  expect(columnsByValues([['Ida', 'Holm']])).toEqual(noColumns)
  const rows = [
    ['7654321', 'me@acme.example', 'Ida', '0171 5554433', 'ida@nord.example'],
    ['7654322', 'me@acme.example', 'Bo', '', 'bo@nord.example'],
    ['7654323', 'me@acme.example', 'Cy', 'none'],
  ]
  expect(columnsByValues(rows)).toEqual({ email: 4, phone: 3 })
  expect(columnsByValues([['x@y.example'], ['x'], ['y']])).toEqual(noColumns)
})

test('bare digits are phone numbers if they begin with a zero; other digits only if no other column identifies contacts', () => {
  expect(columnsByValues([['7654321', '01715554433']]).phone).toBe(1)
  expect(columnsByValues([['7654321', 'Ida']]).phone).toBe(-1)
  expect(columnOfDigits([['Ida', '7654321']])).toBe(1)
})
