import type { ContactRow, LeftOutCell, ReadRow } from './contact-row.ts'
import type { CsvRecord } from './csv-parser.ts'

/** The first rows of a file that would be imported. `done`: there are no other rows. */
export interface FirstFileRows {
  rows: ReadRow[]
  done: boolean
}

/** The number of values that would be left out, and the first of them. */
export interface LeftOutCount {
  count: number
  first: LeftOutCell[]
}

/**
 * The values of the first rows of a file that no custom field can have, and the cells of which only the first of several values can be imported
 * (`further`). `rows`: the number of rows that were read. `done`: there are no other rows.
 */
export interface UnreadableValues extends LeftOutCount {
  further: LeftOutCount
  rows: number
  done: boolean
}

/** The maximum number of values in `LeftOutCount.first`. */
const maxListedValues = 8

/** The records of a file without its header, as they are read. */
type Chunks = AsyncIterable<readonly CsvRecord[]>

/** Returns up to `size` of the first rows that are not skipped. */
export async function readFirstRows(
  chunks: Chunks,
  size: number,
  read: (record: CsvRecord) => ContactRow,
): Promise<FirstFileRows> {
  const rows: ReadRow[] = []
  for await (const records of chunks) {
    for (const record of records) {
      if (rows.length === size) return { rows, done: false }
      const readResult = read(record)
      if ('row' in readResult) rows.push(readResult.row)
    }
  }
  return { rows, done: true }
}

/** Counts the values of the first `size` rows that would be left out. The values of skipped rows do not count. */
export async function countUnreadable(
  chunks: Chunks,
  size: number,
  read: (record: CsvRecord) => ContactRow,
): Promise<UnreadableValues> {
  const found: UnreadableValues = { count: 0, first: [], further: { count: 0, first: [] }, rows: 0, done: false }
  for await (const records of chunks) {
    for (const record of records) {
      if (found.rows === size) return found
      found.rows += 1
      const readResult = read(record)
      for (const cell of 'row' in readResult ? readResult.leftOut : []) {
        const counted = cell.isFurther ? found.further : found
        counted.count += 1
        if (counted.first.length < maxListedValues) counted.first.push(cell)
      }
    }
  }
  return { ...found, done: true }
}
