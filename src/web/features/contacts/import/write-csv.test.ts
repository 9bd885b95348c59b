import { expect, test } from 'vitest'
import { CsvParser } from './csv-parser.ts'
import { csvLine, plainCell } from '#web/lib/csv-line.ts'
import { template } from './write-csv.ts'

function parse(text: string): string[][] {
  const records: string[][] = []
  const parser = new CsvParser(',', ({ fields }) => records.push(fields))
  parser.push(text)
  parser.end()
  return records
}

test.each([
  ['=1+1', "'=1+1"],
  ['+44 20', "'+44 20"],
  ['-1', "'-1"],
  ['@me', "'@me"],
  ['\tx', "'\tx"],
  ['\rx', `"'\rx"`],
  ['a=b', 'a=b'],
  ['Smith, "Jo"', '"Smith, ""Jo"""'],
  [' blank', '" blank"'],
  ['two\nlines', '"two\nlines"'],
  ["'=1", "''=1"],
  ["'t Hooft", "'t Hooft"],
])('the value %j is written as the cell %j', (value, cell) => {
  expect(csvLine([value, 'x'])).toBe(`${cell},x\r\n`)
})

test('writing, reading and writing a file again does not change it', () => {
  const rows = [
    ['=1', '+49 30 1234', '-3', '@4', '\t5', 'plain', '"quoted", with\r\nlines', "'kept", "'=1", "''+", ' '],
  ]
  const firstText = rows.map((fields) => csvLine(fields)).join('')
  const rowsReadBack = parse(firstText).map((fields) => fields.map(plainCell))
  expect(rowsReadBack).toEqual(rows)
  expect(rowsReadBack.map((fields) => csvLine(fields)).join('')).toBe(firstText)
})

test("spec 9: CSV template has 2 sample rows under the template's four columns", () => {
  const [header, ...rows] = parse(template)
  expect(header).toEqual(['email', 'first_name', 'last_name', 'company'])
  expect(rows).toHaveLength(2)
  for (const row of rows) expect(row[0]).toMatch(/^\S+@\S+\.example$/)
})
