import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, test } from 'vitest'
import { CsvParser, type CsvRecord, CsvSyntaxError } from './csv-parser.ts'

function parse(text: string, delimiter = ',', chunkLength = text.length): CsvRecord[] {
  const records: CsvRecord[] = []
  const parser = new CsvParser(delimiter, (record) => records.push(record))
  for (let at = 0; at < text.length; at += chunkLength) parser.push(text.slice(at, at + chunkLength))
  parser.end()
  return records
}

const fieldsOf = (records: readonly CsvRecord[]) => records.map(({ fields }) => fields)

describe('the test files of csv-spectrum, each with its content as JSON', () => {
  const root = dirname(createRequire(import.meta.url).resolve('csv-spectrum'))
  const names = readdirSync(join(root, 'csvs')).map((file) => file.replace('.csv', ''))
  expect(names).toHaveLength(12)

  test.each(names)('the file %s of csv-spectrum is read as its JSON file says', (name) => {
    const [header, ...rows] = fieldsOf(parse(readFileSync(join(root, 'csvs', `${name}.csv`), 'utf8')))
    const objects = rows.map((row) => Object.fromEntries((header ?? []).map((key, index) => [key, row[index] ?? ''])))
    expect(objects).toEqual(expectedRows(name))
  })

  /**
   * Returns the expected rows of a file. In version 2.0.0 of csv-spectrum, one JSON file has a bare object instead of a list, with a
   * telephone number that its CSV does not have. Both are corrected here.
   */
  function expectedRows(name: string): unknown {
    const parsed: unknown = JSON.parse(readFileSync(join(root, 'json', `${name}.json`), 'utf8'))
    return Array.isArray(parsed) ? parsed : [{ ...(parsed as object), 'Contact Phone Number': '2095257564' }]
  }
})

const letterArbitrary = fc.constantFrom('a', 'é', ' ', '"', ',', ';', '\n', '\r', '\r\n', '', '😀')
const cellArbitrary = fc.array(letterArbitrary, { maxLength: 6 }).map((letters) => letters.join(''))
const tableArbitrary = fc.array(fc.array(cellArbitrary, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 })

test('a file written by papaparse is read with the same values, for every chunk size', () => {
  fc.assert(
    fc.property(
      tableArbitrary,
      fc.integer({ min: 1, max: 7 }),
      fc.constantFrom(',', ';', '\t'),
      (rows, chunkLength, delimiter) => {
        const text = Papa.unparse(rows, { delimiter, newline: '\r\n' })
        expect(fieldsOf(parse(text, delimiter, chunkLength))).toEqual(rows)
      },
    ),
    { numRuns: 500 },
  )
})

test('any text results in records or in a CsvSyntaxError, the same for every chunk size', () => {
  const outcomeOf = (text: string, chunkLength: number) => {
    try {
      return parse(text, ',', chunkLength)
    } catch (error) {
      if (!(error instanceof CsvSyntaxError)) throw error
      return { position: error.position, problem: error.problem }
    }
  }
  fc.assert(
    fc.property(
      fc.array(letterArbitrary, { maxLength: 60 }),
      fc.integer({ min: 1, max: 5 }),
      (letters, chunkLength) => {
        const text = letters.join('')
        expect(outcomeOf(text, chunkLength)).toEqual(outcomeOf(text, Math.max(1, text.length)))
      },
    ),
    { numRuns: 1000 },
  )
})

test('a record has its spreadsheet row number: line breaks in cells do not count as rows, an empty line does', () => {
  const text = 'a,b\r\n"1\r\n2\n3",x\n\n\ry,z'
  expect(parse(text).map(({ row }) => row)).toEqual([1, 2, 5])
})

test('the rows of a file written by papaparse are numbered, and the empty lines between them counted, for every chunk size', () => {
  fc.assert(
    fc.property(tableArbitrary, fc.integer({ min: 1, max: 7 }), (rows, chunkLength) => {
      const rowsAndEmptyLines = rows.flatMap((row) => [row, ['']])
      const text = Papa.unparse(rowsAndEmptyLines, { newline: '\r\n' })
      expect(parse(text, ',', chunkLength).map(({ row }) => row)).toEqual(rows.map((_, index) => 2 * index + 1))
    }),
    { numRuns: 300 },
  )
})

test('empty lines are not records; a line of several empty fields is one', () => {
  expect(fieldsOf(parse('a,b\n\n  \n"",""\n,\n'))).toEqual([
    ['a', 'b'],
    ['', ''],
    ['', ''],
  ])
})

test('spaces before a quoted field are left out, for every chunk size; within a field they stay', () => {
  const text = 'b@x, "Smith, J",\t"a\nb" \n  "c"\n a "b", x \n'
  const expectedRows = [['b@x', 'Smith, J', 'a\nb'], ['c'], [' a "b"', ' x ']]
  for (let size = 1; size <= text.length; size++) expect(fieldsOf(parse(text, ',', size))).toEqual(expectedRows)
})

test('a quotation mark inside an unquoted field is an ordinary character', () => {
  expect(fieldsOf(parse('5" pipe,x\n'))).toEqual([['5" pipe', 'x']])
})

test.each([
  ['a\nb\n"c,d\ne', 3, 3, 'unclosed-quote'],
  ['a\n"b"c,d\n', 2, 2, 'text-after-quote'],
  ['a\n"b\nc"d', 2, 3, 'text-after-quote'],
  ['a\n"b\nc",d\n"e"f', 3, 4, 'text-after-quote'],
] as const)('the text %j is invalid CSV from a certain row on', (text, row, line, problem) => {
  const position = expect.objectContaining({ row, line })
  expect(() => parse(text)).toThrow(expect.objectContaining({ position, problem }))
})
