import { CsvParser, type CsvRecord, CsvSyntaxError, isBlankRecord } from './csv-parser.ts'
import { recordsAboveHeader } from './header-row.ts'
import { countKnownColumns, mapColumns } from './map-columns.ts'

export interface Dialect {
  delimiter: string
  /** Whether the first line only names the delimiter (`sep=;`, as Excel writes it). */
  skipFirst: boolean
}

const candidates = [',', ';', '\t', '|'] as const
const maxSampledRecords = 50

/**
 * Returns the delimiter that the first line names. If it names none, guesses the delimiter from the beginning of the text: the one with
 * which the header has the most known columns. If several are equal, takes the one with which the most records have as many fields as the
 * header, then the one with the most columns.
 */
export function guessDialect(beginning: string): Dialect {
  const namedDelimiter = /^sep=([^\r\n])(\r|\n)/i.exec(beginning)?.[1]
  if (namedDelimiter) return { delimiter: namedDelimiter, skipFirst: true }
  let best: { delimiter: string; score: number } = { delimiter: ',', score: -1 }
  for (const delimiter of candidates) {
    const score = scoreOf(parsedRecords(beginning, delimiter).slice(0, maxSampledRecords))
    if (score > best.score) best = { delimiter, score }
  }
  return { delimiter: best.delimiter, skipFirst: false }
}

/**
 * Returns the first records of a text of which only the beginning is given. Blank records are left out; the header and the records above it are
 * included.
 */
export function firstRecords(beginning: string, { delimiter, skipFirst }: Dialect): CsvRecord[] {
  // A spreadsheet does not count the line that names the delimiter.
  const records = parsedRecords(beginning, delimiter, skipFirst ? 0 : 1).slice(skipFirst ? 1 : 0)
  return records.filter((record) => !isBlankRecord(record)).slice(0, maxSampledRecords)
}

function parsedRecords(beginning: string, delimiter: string, firstRow = 1): CsvRecord[] {
  const records: CsvRecord[] = []
  try {
    const parser = new CsvParser(delimiter, (record) => records.push(record), firstRow)
    parser.push(beginning)
    if (records.length === 0) parser.end()
  } catch (error) {
    // A wrong delimiter may cause a syntax error at a quote. The records before the error still count.
    if (!(error instanceof CsvSyntaxError)) throw error
  }
  return records
}

function scoreOf(records: readonly CsvRecord[]): number {
  // Blank records still show the number of columns.
  const filled = records.filter((record) => !isBlankRecord(record))
  const header = filled[recordsAboveHeader(filled.map(({ fields }) => fields))] ?? records[0]
  if (!header) return 0
  const columns = header.fields.length
  const alikeShare = records.filter(({ fields }) => fields.length === columns).length / records.length
  return (
    countKnownColumns(mapColumns(header.fields)) * 100 +
    (columns > 1 ? 10 * alikeShare + Math.min(columns, 50) / 50 : 0)
  )
}
