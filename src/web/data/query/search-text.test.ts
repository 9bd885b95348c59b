import { expect, test } from 'vitest'
import { digitsOf, searchedWords, searchText } from './search-text.ts'

interface Called {
  phone: string
}

const words = ({ phone }: Called) => [digitsOf(phone)]

function isFound(typed: string, phone: string): boolean {
  const text = searchText({ phone }, words)
  return searchedWords(typed).every((forms) => forms.some((form) => text.includes(form)))
}

test.each([
  ['0171', '+49 171 2345678'],
  ['0171 2345', '+49 171 2345678'],
  ['+49171', '0171 2345678'],
  ['+49 171 2345678', '0171/2345678'],
  ['+49 (0)171 2345678', '0171 2345678'],
  ['00491712345678', '0171 2345678'],
  ['030 5557', '+49 30 5557 8812'],
  ['+49 30 5557', '030 5557 8812'],
  ['+353 1 555', '01 555 0199'],
  ['+1 212 555', '212.555.0100'],
  ['2345', '+49 171 2345678'],
])("'%s' finds %s", (typed, phone) => {
  expect(isFound(typed, phone)).toBe(true)
})

test.each([
  ['0172', '+49 171 2345678'],
  ['+44 171 234', '0172 2345678'],
  ['171 9999', '0171 2345678'],
])("'%s' does not find %s", (typed, phone) => {
  expect(isFound(typed, phone)).toBe(false)
})
