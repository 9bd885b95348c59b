import { CsvParser, type CsvRecord, isBlankRecord } from './csv-parser.ts'
import { type Bytes, type Encoding, readText } from './decode.ts'
import type { Dialect } from './guess-dialect.ts'

/** Thrown for a file with a NUL byte, which no text contains. */
export class BinaryError extends Error {}

/**
 * How a file is read. `above`: the number of records above the header, which are left out. `fatal`: see `readText`. `pause` is awaited after every
 * chunk.
 */
interface ReadOptions {
  encoding: Encoding
  dialect: Dialect
  above: number
  fatal: boolean
  pause: () => Promise<void>
}

const beginningBytes = 65_536

/** Yields the records of a file while it is read, the header among them. Rows of only delimiters and blanks are left out, as empty lines are. */
export async function* readRecords(
  file: Bytes,
  { encoding, dialect, above, fatal, pause }: ReadOptions,
): AsyncGenerator<CsvRecord[]> {
  let newRecords: CsvRecord[] = []
  let mustSkipFirst = dialect.skipFirst
  let recordsToSkip = above
  const onRecord = (record: CsvRecord) => {
    if (mustSkipFirst) mustSkipFirst = false
    else if (isBlankRecord(record)) return
    else if (recordsToSkip > 0) recordsToSkip -= 1
    else newRecords.push(record)
  }
  // A spreadsheet does not count the line that names the delimiter.
  const parser = new CsvParser(dialect.delimiter, onRecord, mustSkipFirst ? 0 : 1)
  for await (const text of readText(file, encoding, fatal)) {
    if (text.includes('\0')) throw new BinaryError()
    parser.push(text)
    yield newRecords
    newRecords = []
    await pause()
  }
  parser.end()
  yield newRecords
}

/** Returns the first 64 kB of a file as text. The last line of a short file gets a line end, so that it is complete. */
export async function readBeginning(file: Bytes, encoding: Encoding): Promise<string> {
  const beginning: Bytes = {
    size: Math.min(beginningBytes, file.size),
    slice: (from, to) => file.slice(from, Math.min(to, beginningBytes)),
  }
  let text = ''
  for await (const chunk of readText(beginning, encoding, false)) text += chunk
  return file.size > beginningBytes ? text : `${text}\n`
}
