import { describe, expect, test } from 'vitest'
import {
  countryCode,
  digitsOf,
  isPartOfLabel,
  lowerNfc,
  foldedForms,
  searchedWords,
  searchText,
} from './search-text.ts'

interface Called {
  phone: string
}

const phoneWords = ({ phone }: Called) => [digitsOf(phone)]

function isFound(typed: string, phone: string): boolean {
  const text = searchText({ phone }, phoneWords)
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
  ['020 7946 0012', '+44 20 7946 0012'],
  ['020 7946 00-12', '02079460012'],
  ['555 0100 +49 171', '+49 171 555 0100'],
])("the search '%s' finds %s", (typed, phone) => {
  expect(isFound(typed, phone)).toBe(true)
})

test.each([
  ['0172', '+49 171 2345678'],
  ['+44 171 234', '0172 2345678'],
  ['171 9999', '0171 2345678'],
  ['020 7946 0012', '+44 20 7946 1234'],
  ['212 555 0199', '+1 212 555 1990'],
  ['020 7946 00-12', '020 7946 1234'],
])("the search '%s' does not find %s", (typed, phone) => {
  expect(isFound(typed, phone)).toBe(false)
})

describe('a text is found without regard to case and accents', () => {
  test.each([
    ['Anna', ['anna']],
    ['É', ['e']],
    ['Müller', ['muller', 'mueller']],
    ['Ärger Öl', ['arger ol', 'aerger oel']],
    ['Straße', ['strasse']],
    ['Søren', ['soren', 'soeren']],
    ['Kåre', ['kare', 'kaare']],
    ['Æsop', ['aesop']],
    ['œuvre', ['oeuvre']],
    ['Łukasz', ['lukasz']],
    ['đðı', ['ddi']],
    ['Σίσυφος', ['σισυφοσ']],
    ['北京', ['北京']],
    ['~', ['~']],
    ['O’Hara, Oʼ‘Ünal′', ["o'hara, o''unal'", "o'hara, o''uenal'"]],
  ])('the text %s is searched as %j', (text, forms) => {
    expect(foldedForms(text)).toEqual(forms)
    expect(foldedForms(text.normalize('NFD'))).toEqual(forms)
  })

  test('`lowerNfc` returns a text in lower case and in the form NFC, so that a search ignores case', () => {
    expect(lowerNfc('MU\u0308LLER')).toBe('müller')
  })
})

describe('a search is split into words', () => {
  test('a search is split into words at spaces, no-break spaces, ideographic spaces, tabs and line breaks; only the first eight words count', () => {
    expect(searchedWords(' a\tb\u00a0c\u3000d\ne ').map(([form]) => form)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(searchedWords('1a 2 3 4 5 6 7 8 9')).toHaveLength(8)
    expect(searchedWords('  ')).toEqual([])
  })

  test('an international telephone number of up to nine parts is one word of a search', () => {
    expect(searchedWords('+49 171 23 Owen')).toEqual([['+4917123', '4917123', '17123'], ['owen']])
    expect(searchedWords('call 0049 (171) 23')).toMatchObject([['call'], ['0049(171)23', '4917123', '17123']])
    expect(searchedWords('+1 2 3 4 5 6 7 8 9 0')[1]?.[0]).toBe('0')
    expect(searchedWords('171 23')).toHaveLength(2)
    expect(searchedWords('a+49 171')).toHaveLength(2)
  })
})

describe('a telephone number is searched', () => {
  test.each([
    ['171', ['171']],
    ['0171', ['0171', '171']],
    ['49', ['49']],
    ['+49', ['+49', '49']],
    ['049', ['049', '49']],
    ['4', ['4']],
    ['a49', ['a49']],
    ['49a', ['49a']],
    ['17x1', ['17x1']],
    ['+4917', ['+4917', '4917']],
    ['+49171', ['+49171', '49171', '171']],
    ['+490171', ['+490171', '490171', '171']],
    ['004917', ['004917', '4917']],
    ['a+49171', ['a+49171']],
    ['49171', ['49171']],
    ['(49)', ['(49)']],
    ['(491)', ['(491)', '491']],
    ['(+49', ['(+49']],
    ['(+49171', ['(+49171', '49171']],
    ['(491a', ['(491a']],
  ])('a telephone number, %s, is searched in the forms %j', (typed, forms) => {
    const [found = []] = searchedWords(typed)
    expect([...new Set(found)]).toEqual(forms)
  })

  test('a telephone number is searched without the signs between its digits', () => {
    expect(digitsOf('+49 (0)171/23-4.5 x')).toBe('4901712345x')
  })
})

test.each([
  ['1', '1212'],
  ['7', '7495'],
  ['20', '2012'],
  ['212', '2125'],
  ['44', '4420'],
  ['420', '42055'],
  ['49', '49171'],
  ['353', '3531'],
  ['380', '38044'],
  ['599', '5999'],
  ['670', '67077'],
  ['886', '8862'],
  ['971', '97150'],
  ['992', '99237'],
])('the country code %s is that of %s', (code, digits) => {
  expect(countryCode.exec(digits)?.[0]).toBe(code)
})

test('the search text of a row is computed once for each function', () => {
  const row = { phone: '1' }
  let calls = 0
  const counted = (one: Called) => {
    calls += 1
    return [one.phone, null, 'Ä']
  }
  expect([searchText(row, counted), searchText(row, counted), searchText(row, phoneWords)]).toEqual([
    '1  a 1  ae',
    '1  a 1  ae',
    '1',
  ])
  expect(calls).toBe(1)
})

test.each([
  ['Éclair', 'eclair', true],
  ['Eclair', ' Écl ', true],
  ['Müller, Zoe', 'mueller', true],
  ['Preis zu hoch', 'zu hoch', true],
  ['Éclair', '', true],
  ['Éclair', 'claire', false],
])('in the label “%s”, “%s” occurs: %s', (label, typed, isFound) => {
  expect(isPartOfLabel(label, typed)).toBe(isFound)
})
