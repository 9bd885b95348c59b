import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSearch, writeSearch } from './search-format.ts'

/** The values that TanStack Router 1.170.46 read in these URLs, and the text that it wrote for them. */
const tanStackExamples: [text: string, values: Record<string, unknown>, written: string][] = [
  ['', {}, ''],
  ['?', {}, ''],
  ['??', {}, ''],
  ['?mine=1', { mine: 1 }, '?mine=1'],
  ['?mine=true', { mine: true }, '?mine=true'],
  ['?mine=%221%22', { mine: '1' }, '?mine=%221%22'],
  ['?owner=none&sort=name', { owner: 'none', sort: 'name' }, '?owner=none&sort=name'],
  [
    '?owner=5f0c1a52-8d3e-4b6a-9f57-0d6a3c1b2e4f',
    { owner: '5f0c1a52-8d3e-4b6a-9f57-0d6a3c1b2e4f' },
    '?owner=5f0c1a52-8d3e-4b6a-9f57-0d6a3c1b2e4f',
  ],
  ['?show=closing-this-month', { show: 'closing-this-month' }, '?show=closing-this-month'],
  ['?tags=a%2Cb', { tags: 'a,b' }, '?tags=a%2Cb'],
  ['?tags=a,b', { tags: 'a,b' }, '?tags=a%2Cb'],
  [
    '?fields=one.5f0c%3Aa%2Cb%3Bis.77%3Atrue%3Bto.1%3A100..200',
    { fields: 'one.5f0c:a,b;is.77:true;to.1:100..200' },
    '?fields=one.5f0c%3Aa%2Cb%3Bis.77%3Atrue%3Bto.1%3A100..200',
  ],
  [
    '?fields=one.1%3AD%C3%BCsseldorf%252C%2520S%C3%BCd',
    { fields: 'one.1:Düsseldorf%2C%20Süd' },
    '?fields=one.1%3AD%C3%BCsseldorf%252C%2520S%C3%BCd',
  ],
  ['?sort=123', { sort: 123 }, '?sort=123'],
  ['?sort=%22123%22', { sort: '123' }, '?sort=%22123%22'],
  ['?sort=007', { sort: '007' }, '?sort=007'],
  ['?sort=1e21', { sort: 1e21 }, '?sort=1e%2B21'],
  ['?sort=-0', { sort: -0 }, '?sort=0'],
  ['?sort=1.50', { sort: 1.5 }, '?sort=1.5'],
  ['?sort=.5', { sort: '.5' }, '?sort=.5'],
  ['?sort=Infinity', { sort: 'Infinity' }, '?sort=Infinity'],
  ['?sort=%2212345678901234567890%22', { sort: '12345678901234567890' }, '?sort=%2212345678901234567890%22'],
  ['?sort=null', { sort: null }, '?sort=null'],
  ['?sort=%22null%22', { sort: 'null' }, '?sort=%22null%22'],
  ['?sort=undefined', { sort: 'undefined' }, '?sort=undefined'],
  ['?sort=%5B1%2C%22a%22%5D', { sort: [1, 'a'] }, '?sort=%5B1%2C%22a%22%5D'],
  ['?sort=%7B%22a%22%3A1%7D', { sort: { a: 1 } }, '?sort=%7B%22a%22%3A1%7D'],
  ['?sort=%7Bbroken', { sort: '{broken' }, '?sort=%7Bbroken'],
  ['?sort=%20%201', { sort: 1 }, '?sort=1'],
  ['?sort=a%20b+c', { sort: 'a b c' }, '?sort=a+b+c'],
  ['?sort', { sort: '' }, '?sort='],
  ['?=x', { '': 'x' }, '?=x'],
  ['?a=1&b=2&a=3', { a: [1, 3], b: 2 }, '?a=%5B1%2C3%5D&b=2'],
  ['?a=x&a=%22y%22&a=true', { a: ['x', '"y"', true] }, '?a=%5B%22x%22%2C%22%5C%22y%5C%22%22%2Ctrue%5D'],
  ['?a=&a=', { a: ['', ''] }, '?a=%5B%22%22%2C%22%22%5D'],
  ['?a=1e3&a=007', { a: ['1e3', '007'] }, '?a=%5B%221e3%22%2C%22007%22%5D'],
  ['?a%20b=%C3%A9', { 'a b': 'é' }, '?a+b=%C3%A9'],
  ['?bad=%E0%A4%A', { bad: '\u{FFFD}%A' }, '?bad=%EF%BF%BD%25A'],
  ['?a=b=c', { a: 'b=c' }, '?a=b%3Dc'],
  ['?2=b&1=a&x=c', { 1: 'a', 2: 'b', x: 'c' }, '?1=a&2=b&x=c'],
  ["?q='()*~!-_.", { q: "'()*~!-_." }, '?q=%27%28%29*%7E%21-_.'],
  ['?x=%22', { x: '"' }, '?x=%22'],
  ['?&&a=1&', { a: 1 }, '?a=1'],
]

test.each(tanStackExamples)('the URL search %s is read and written as by TanStack Router', (text, values, written) => {
  expect(readSearch(text)).toEqual(values)
  expect(writeSearch(values)).toBe(written)
})

test('a search parameter may have the name of a built-in property of objects', () => {
  const values = readSearch('?__proto__=1&x=2')
  expect(Object.entries(values)).toEqual([
    ['__proto__', 1],
    ['x', 2],
  ])
  expect(writeSearch(values)).toBe('?__proto__=1&x=2')
})

/** The text that TanStack Router wrote for values that were not read from a URL. */
test.each([
  [{ mine: undefined, owner: 'none' }, '?owner=none'],
  [{ sort: '1e5' }, '?sort=%221e5%22'],
  [{ sort: 'true' }, '?sort=%22true%22'],
  [{ sort: '"x"' }, '?sort=%22%5C%22x%5C%22%22'],
  [{ sort: '[1]' }, '?sort=%22%5B1%5D%22'],
  [{ sort: '[1' }, '?sort=%5B1'],
  [{ sort: ' 1' }, '?sort=%22+1%22'],
  [{ sort: ' a' }, '?sort=+a'],
  [{ a: null, b: false, c: 1.5 }, '?a=null&b=false&c=1.5'],
  [{ a: { b: ['c'] }, d: [] }, '?a=%7B%22b%22%3A%5B%22c%22%5D%7D&d=%5B%5D'],
  [{ a: 'é ü+&=#%' }, '?a=%C3%A9+%C3%BC%2B%26%3D%23%25'],
])('the search parameters %j are written as by TanStack Router', (values, written) => {
  expect(writeSearch(values)).toBe(written)
})

test('search parameters that were written are read unchanged; reading and writing a URL search twice gives the same text as once', () => {
  const textArbitrary = fc.oneof(
    fc.string(),
    fc.constantFrom('1', '"1"', 'true', 'null', '[1]', '{', ' 2', '1e9', '-', 'a,b:c;d'),
  )
  const value = fc.oneof(textArbitrary, fc.integer(), fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 2 }))
  fc.assert(
    fc.property(fc.dictionary(fc.string({ maxLength: 4 }), value, { maxKeys: 4 }), (given) => {
      // JSON has no -0: JSON.stringify writes 0.
      const values: unknown = JSON.parse(JSON.stringify(given))
      expect(readSearch(writeSearch(given))).toEqual({ ...Object(values) })
    }),
  )
  const part = fc.constantFrom(
    'a',
    'b',
    '=',
    '&',
    '1',
    '0',
    '.',
    'e',
    '%22',
    '[',
    ']',
    '+',
    '%',
    'true',
    'null',
    '"',
    'é',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
      const written = writeSearch(readSearch(`?${parts.join('')}`))
      expect(writeSearch(readSearch(written))).toBe(written)
    }),
  )
})
