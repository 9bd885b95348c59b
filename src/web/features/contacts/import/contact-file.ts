import type { CustomField } from '#web/data/server/rows.ts'
import { plainCell } from '#web/lib/csv-line.ts'
import { contactRow, type LeftOutCell, readAddress, type ReadRow, valuesBeyond } from './contact-row.ts'
import { CsvParser, type CsvRecord, CsvSyntaxError } from './csv-parser.ts'
import { type Bytes, type Encoding, readText, sniff } from './decode.ts'
import { type FileFailure, fileRefused, syntaxErrorSentence } from './file-failure.ts'
import { type Dialect, guessDialect } from './guess-delimiter.ts'
import { linesTo } from './lines-to.ts'
import { headerOfContacts } from './header-of-contacts.ts'
import { type ColumnMap, mayImportUnseen, mapColumns, noColumns } from './map-columns.ts'
import { RepeatedRowFinder, type RepeatedRow } from './repeated-rows.ts'
import { type Correction, CorrectionLines } from './rows-to-correct.ts'

/** The result of the first pass over a valid file. */
export interface FileSummary {
  rows: number
  /** The heads of the first columns. */
  header: readonly string[]
  columnCount: number
  /** The guessed fields of the columns. */
  columns: ColumnMap
  /** Whether the file may be imported without showing its columns to the person (`mayImportUnseen`). */
  understood: boolean
  /** Whether the file has no header, so that its first row is a contact. */
  headless: boolean
  /** The rows with values beyond the last column: their number, and the first of them (its row number). */
  tooWide: { count: number; first: number }
  /** The number of rows with the email address of an earlier row, according to the guessed columns. */
  repeated: number
  /** The first rows, with the columns of `header`. */
  samples: readonly CsvRecord[]
}

export type OpenResult = { ok: true; summary: FileSummary } | { ok: false; failure: FileFailure }

/** A row that is not imported; `content` is shortened for the list on screen. */
export interface SkippedRow {
  row: number
  content: string
  reason: string
}

export interface Batch {
  rows: ReadRow[]
  skipped: SkippedRow[]
  /** The rows of `rows` with the email address of an earlier row of the file. */
  repeated: RepeatedRow[]
  /** The cells of `rows` that are left out. */
  leftOut: LeftOutCell[]
  /** True for the last batch. */
  done: boolean
}

/** The first rows of a file that would be imported. `done`: there are no other rows. */
export interface FirstRows {
  rows: ReadRow[]
  done: boolean
}

/** The largest accepted file, in bytes. */
export const maxFileBytes = 50 * 1024 * 1024

/** Limits of the summary: the number of columns and of rows, and the characters of a head and of a value. */
const shownColumns = 100
const sampleRows = 3
const longestHead = 60
const longestSample = 200

/**
 * A CSV file of contacts. The file is read several times; only its email addresses are held in memory. `open` checks the whole file,
 * so that nothing of a broken file is imported; `next` returns the rows in batches; `correctionFile` writes the rows to correct. `pause` is
 * awaited after every 256 kB, so that a page that reads the file itself stays responsive.
 */
export class ContactFile {
  private encoding: Encoding = 'utf-8'
  private dialect: Dialect = { delimiter: ',', skipFirst: false }
  private reading: AsyncGenerator<CsvRecord[]> | null = null
  private waiting: CsvRecord[] = []
  private readonly addresses = new RepeatedRowFinder()
  /** The heads of all columns. */
  private header: readonly string[] = []
  private isHeadless = false

  constructor(
    private readonly file: Bytes,
    /** The custom fields that the columns can map to. */
    private readonly fields: readonly CustomField[] = [],
    private readonly pause: () => Promise<void> = async () => {},
  ) {}

  async open(): Promise<OpenResult> {
    if (this.file.size > maxFileBytes)
      return fileRefused('The file is larger than 50 MB. Split it and import the parts.')
    const head = new Uint8Array(await this.file.slice(0, Math.min(65_536, this.file.size)).arrayBuffer())
    const sniffed = sniff(head)
    if (sniffed.kind === 'other') return fileRefused(`This is ${sniffed.what}, not a CSV file. Save it as CSV first.`)
    if (sniffed.certain || sniffed.encoding !== 'utf-8') return this.check(sniffed.encoding, false)
    try {
      return await this.check('utf-8', true)
    } catch (error) {
      // Bytes that are not valid UTF-8: Windows-1252 is the only other 8-bit encoding that western spreadsheets write.
      if (error instanceof TypeError) return this.check('windows-1252', false)
      throw error
    }
  }

  /**
   * Returns up to `size` rows to send, and the skipped rows between them. Stops early at 1,000 skipped rows. `columns`: the fields of the
   * columns. `fields`: the current custom fields.
   */
  async next(size: number, columns: ColumnMap, fields = this.fields): Promise<Batch> {
    this.reading ??= this.dataRecords()
    const batch: Batch = { rows: [], skipped: [], repeated: [], leftOut: [], done: false }
    while (batch.rows.length < size && batch.skipped.length < 1000) {
      const record = await this.nextRecord()
      if (!record) return { ...batch, done: true }
      const read = contactRow(record, columns, fields)
      if ('reason' in read)
        batch.skipped.push({ row: record.row, content: shortenedCells(record), reason: read.reason })
      else {
        const { row, leftOut } = read
        batch.rows.push(row)
        batch.leftOut.push(...leftOut)
        const beyond = valuesBeyond(record, this.header.length)
        if (beyond) batch.leftOut.push(beyond)
        const first = this.addresses.earlier(row)
        if (first !== null) batch.repeated.push({ row: row.row, first })
      }
    }
    return batch
  }

  /** Returns up to `size` of the first rows that `next` would return, without an effect on `next`. */
  async firstRows(size: number, columns: ColumnMap, fields = this.fields): Promise<FirstRows> {
    const rows: ReadRow[] = []
    for await (const records of this.dataRecords()) {
      for (const record of records) {
        if (rows.length === size) return { rows, done: false }
        const read = contactRow(record, columns, fields)
        if ('row' in read) rows.push(read.row)
      }
    }
    return { rows, done: true }
  }

  /**
   * Returns a CSV file of the rows to correct, with the columns and the delimiter of this file and a last column with the reason. It can
   * be imported again. `corrections`: by row number.
   */
  async correctionFile(corrections: ReadonlyMap<number, Correction>, columns: ColumnMap): Promise<Blob> {
    const parts: string[] = ['\uFEFF']
    const lines = new CorrectionLines(corrections, columns.id, this.dialect.delimiter)
    parts.push(lines.header(this.header))
    for await (const records of this.dataRecords()) for (const record of records) parts.push(lines.row(record))
    return new Blob(parts, { type: 'text/csv;charset=utf-8' })
  }

  private async nextRecord(): Promise<CsvRecord | undefined> {
    while (this.waiting.length === 0) {
      const { done, value } = (await this.reading?.next()) ?? { done: true, value: undefined }
      if (done || !value) return undefined
      this.waiting = value.toReversed()
    }
    return this.waiting.pop()
  }

  private async check(encoding: Encoding, fatal: boolean): Promise<OpenResult> {
    this.encoding = encoding
    this.dialect = guessDialect(await this.beginning())
    let header: readonly string[] | null = null
    let rows = 0
    let columns = noColumns
    let repeated = 0
    const tooWide = { count: 0, first: 0 }
    const addresses = new RepeatedRowFinder()
    const samples: CsvRecord[] = []
    try {
      for await (const records of this.records(fatal)) {
        for (const record of records) {
          const { fields, row } = record
          if (header === null) {
            const named = headerOfContacts(fields, this.fields)
            this.isHeadless = named !== null
            header = named ?? fields
            columns = mapColumns(header, this.fields)
            if (!this.isHeadless) continue
          }
          rows += 1
          if (valuesBeyond(record, header.length)) {
            tooWide.count += 1
            tooWide.first ||= row
          }
          const { email } = readAddress(plainCell((fields[columns.email] ?? '').trim()))
          if (addresses.earlier({ row, email: email || null }) !== null) repeated += 1
          if (rows <= sampleRows) samples.push({ row, fields: shortened(fields, longestSample) })
        }
      }
    } catch (error) {
      if (error instanceof CsvSyntaxError)
        return fileRefused(
          syntaxErrorSentence(error),
          error.position.line,
          await linesTo(this.file, this.encoding, error.position),
        )
      if (error instanceof BinaryError) return fileRefused('This is not a text file, so it cannot be read as CSV.')
      throw error
    }
    if (header === null) return fileRefused('The file is empty.')
    this.header = header
    return {
      ok: true,
      summary: {
        rows,
        header: shortened(header, longestHead),
        columnCount: header.length,
        columns,
        understood: mayImportUnseen(header, columns) && !this.isHeadless && tooWide.count === 0,
        headless: this.isHeadless,
        tooWide,
        repeated,
        samples,
      },
    }
  }

  /** Returns the records without the header. */
  private async *dataRecords(): AsyncGenerator<CsvRecord[]> {
    let headerSeen = this.isHeadless
    for await (const records of this.records(false)) {
      if (!headerSeen && records.length > 0) {
        headerSeen = true
        yield records.slice(1)
      } else yield records
    }
  }

  private async *records(fatal: boolean): AsyncGenerator<CsvRecord[]> {
    let ready: CsvRecord[] = []
    let skip = this.dialect.skipFirst
    const onRecord = (record: CsvRecord) => {
      if (skip) skip = false
      else ready.push(record)
    }
    // A spreadsheet does not count the line that names the delimiter.
    const parser = new CsvParser(this.dialect.delimiter, onRecord, skip ? 0 : 1)
    for await (const text of readText(this.file, this.encoding, fatal)) {
      if (text.includes('\0')) throw new BinaryError()
      parser.push(text)
      yield ready
      ready = []
      await this.pause()
    }
    parser.end()
    yield ready
  }

  private async beginning(): Promise<string> {
    const start: Bytes = {
      size: Math.min(65_536, this.file.size),
      slice: (from, to) => this.file.slice(from, Math.min(to, 65_536)),
    }
    let text = ''
    for await (const chunk of readText(start, this.encoding, false)) text += chunk
    return text
  }
}

/** Thrown for a file with a NUL byte, which no text contains. */
class BinaryError extends Error {}

function shortened(fields: readonly string[], length: number): string[] {
  return fields.slice(0, shownColumns).map((field) => field.slice(0, length))
}

/** Returns the first eight cells of a row as one text, each with up to 60 characters: '–, Ida, Holm'. */
export function shortenedCells({ fields }: CsvRecord): string {
  const cells = fields.slice(0, 8).map((field) => field.trim().slice(0, 60) || '–')
  return cells.join(', ')
}
