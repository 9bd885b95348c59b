import type { CustomField } from '#web/data/server/rows.ts'
import {
  type ContactRow,
  contactRow,
  type LeftOutCell,
  type ReadRow,
  type SkippedRow,
  shortenedCells,
  valuesBeyond,
} from './contact-row.ts'
import { type CsvRecord, CsvSyntaxError } from './csv-parser.ts'
import { type Bytes, type Encoding, detectFileType } from './decode.ts'
import { type FileFailure, fileRefused, syntaxErrorSentence } from './file-failure.ts'
import { type FileSummary, SummaryMaker } from './file-summary.ts'
import { countUnreadable, type FirstFileRows, readFirstRows, type UnreadableValues } from './first-file-rows.ts'
import { type Dialect, firstRecords, guessDialect } from './guess-dialect.ts'
import { recordsAboveHeader } from './header-row.ts'
import { linesUpToError } from './lines-up-to-error.ts'
import type { ColumnMap } from './map-columns.ts'
import { noNotations } from './notations.ts'
import { BinaryError, readBeginning, readRecords } from './read-records.ts'
import { RepeatedRowFinder, type RepeatedRow } from './repeated-rows.ts'
import { CorrectionLines, type Corrections } from './rows-to-correct.ts'

export type OpenResult = { ok: true; summary: FileSummary } | { ok: false; failure: FileFailure }

export interface Batch {
  rows: ReadRow[]
  skipped: SkippedRow[]
  /** The rows of `rows` for the same contact as an earlier row of the file. */
  repeated: RepeatedRow[]
  /** The cells of `rows` that are left out. */
  leftOut: LeftOutCell[]
  /** True for the last batch. */
  done: boolean
}

/** The largest accepted file, in bytes. */
export const maxFileBytes = 50 * 1024 * 1024

/**
 * A CSV file of contacts. The file is read several times; only its email addresses, and the contact ids of rows without one, stay in memory. `open`
 * checks the whole file, so that nothing of a broken file is imported; `next` returns the rows in batches; `correctionFile` writes the rows to
 * correct. `pause` is awaited after every 256 kB, so that a page that reads the file itself stays responsive.
 */
export class ContactFile {
  private encoding: Encoding = 'utf-8'
  private dialect: Dialect = { delimiter: ',', skipFirst: false }
  /** The number of records above the header. */
  private above = 0
  private reading: AsyncGenerator<CsvRecord[]> | null = null
  /** The records of the last chunk that `next` has not returned yet, in reverse order. */
  private reversedRecords: CsvRecord[] = []
  private readonly repeats = new RepeatedRowFinder()
  /** The heads of all columns. */
  private header: readonly string[] = []
  private lastSummary = { ...noNotations, headless: false }

  constructor(
    private readonly file: Bytes,
    /** The custom fields that the columns can map to. */
    private readonly fields: readonly CustomField[] = [],
    private readonly pause: () => Promise<void> = async () => {},
  ) {}

  async open(): Promise<OpenResult> {
    if (this.file.size > maxFileBytes)
      return fileRefused('The file is larger than 50 MB. Split it and import the parts.')
    const firstBytes = new Uint8Array(await this.file.slice(0, Math.min(65_536, this.file.size)).arrayBuffer())
    const fileType = detectFileType(firstBytes)
    if (fileType.kind === 'other') return fileRefused(`This is ${fileType.what}, not a CSV file. Save it as CSV first.`)
    if (fileType.certain || fileType.encoding !== 'utf-8') return this.check(fileType.encoding, false)
    try {
      return await this.check('utf-8', true)
    } catch (error) {
      // Bytes that are not valid UTF-8: Windows-1252 is the only other 8-bit encoding that western spreadsheets write.
      if (error instanceof TypeError) return this.check('windows-1252', false)
      throw error
    }
  }

  /**
   * Checks the file again, with its first row as a contact (`headless`) or as the header. Call it after `open` and before `next`. `fields`:
   * the current custom fields.
   */
  async readFirstRowAs(headless: boolean, fields = this.fields): Promise<OpenResult> {
    return this.check(this.encoding, false, fields, headless)
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
      const readResult = this.contactRow(record, columns, fields)
      if ('reason' in readResult)
        batch.skipped.push({ row: record.row, content: shortenedCells(record), reason: readResult.reason })
      else {
        const { row, leftOut } = readResult
        batch.rows.push(row)
        batch.leftOut.push(...leftOut)
        const beyond = valuesBeyond(record, this.header.length)
        if (beyond) batch.leftOut.push(beyond)
        const earlierRow = this.repeats.earlier(row)
        if (earlierRow !== null) batch.repeated.push({ row: row.row, first: earlierRow })
      }
    }
    return batch
  }

  /** Returns up to `size` of the first rows that `next` would return, without an effect on `next`. */
  async firstRows(size: number, columns: ColumnMap, fields = this.fields): Promise<FirstFileRows> {
    return readFirstRows(this.dataRecords(), size, (record) => this.contactRow(record, columns, fields))
  }

  /** Counts the values of the first `size` rows that `next` would leave out. Has no effect on `next`. */
  async unreadableValues(size: number, columns: ColumnMap, fields = this.fields): Promise<UnreadableValues> {
    return countUnreadable(this.dataRecords(), size, (record) => this.contactRow(record, columns, fields))
  }

  /**
   * Returns a CSV file of the rows to correct, with the columns and the delimiter of this file and a last column with the reason. It can
   * be imported again. `fields`: the current custom fields.
   */
  async correctionFile(corrections: Corrections, columns: ColumnMap, fields = this.fields): Promise<Blob> {
    const lines = new CorrectionLines(corrections, columns, this.dialect.delimiter, fields, this.lastSummary)
    const parts = ['\uFEFF', lines.header(this.header)]
    for await (const records of this.dataRecords()) for (const record of records) parts.push(lines.row(record))
    return new Blob(parts, { type: 'text/csv;charset=utf-8' })
  }

  private contactRow(record: CsvRecord, columns: ColumnMap, fields: readonly CustomField[]): ContactRow {
    return contactRow(record, columns, fields, this.lastSummary)
  }

  private async nextRecord(): Promise<CsvRecord | undefined> {
    while (this.reversedRecords.length === 0) {
      const { done, value } = (await this.reading?.next()) ?? { done: true, value: undefined }
      if (done || !value) return undefined
      this.reversedRecords = value.toReversed()
    }
    return this.reversedRecords.pop()
  }

  /** `fatal`: see `readText`. `headless`: see `SummaryMaker`. */
  private async check(
    encoding: Encoding,
    fatal: boolean,
    fields = this.fields,
    headless?: boolean,
  ): Promise<OpenResult> {
    this.encoding = encoding
    const beginning = await readBeginning(this.file, encoding)
    this.dialect = guessDialect(beginning)
    const records = firstRecords(beginning, this.dialect)
    const cells = records.map(({ fields }) => fields)
    this.above = headless ? 0 : recordsAboveHeader(cells)
    const rowsAbove = this.above > 0 ? (records[this.above]?.row ?? 1) - 1 : 0
    const maker = new SummaryMaker(cells.slice(this.above + 1), fields, headless, rowsAbove)
    try {
      for await (const records of this.records(fatal)) for (const record of records) maker.add(record)
    } catch (error) {
      if (error instanceof CsvSyntaxError)
        return fileRefused(
          syntaxErrorSentence(error),
          error.position.line,
          await linesUpToError(this.file, this.encoding, error.position),
        )
      if (error instanceof BinaryError) return fileRefused('This is not a text file, so it cannot be read as CSV.')
      throw error
    }
    if (maker.header === null) return fileRefused('The file is empty.')
    this.header = maker.header
    const summary = maker.summary(maker.header)
    this.lastSummary = summary
    return { ok: true, summary }
  }

  /** Returns the records without the header. */
  private async *dataRecords(): AsyncGenerator<CsvRecord[]> {
    let isHeaderPassed = this.lastSummary.headless
    for await (const records of this.records(false)) {
      if (!isHeaderPassed && records.length > 0) {
        isHeaderPassed = true
        yield records.slice(1)
      } else yield records
    }
  }

  private records(fatal: boolean): AsyncGenerator<CsvRecord[]> {
    const { encoding, dialect, above, pause } = this
    return readRecords(this.file, { encoding, dialect, above, fatal, pause })
  }
}
