/** A record of a CSV file. `row` is its row number in a spreadsheet. */
export interface CsvRecord {
  row: number
  fields: string[]
}

export type CsvProblem = 'unclosed-quote' | 'text-after-quote' | 'too-many-columns' | 'field-too-long'

/**
 * The position of a syntax error: its row and its line in the file (from 1). `begins`: the numbers of this row and of the two previous rows,
 * by the line on which each row begins.
 */
export interface CsvPosition {
  row: number
  line: number
  begins: ReadonlyMap<number, number>
}

/** Thrown if the file is not valid CSV from a certain row on. */
export class CsvSyntaxError extends Error {
  readonly position: CsvPosition
  readonly problem: CsvProblem
  constructor(position: CsvPosition, problem: CsvProblem) {
    super(`${problem} in row ${position.row}`)
    this.position = position
    this.problem = problem
  }
}

/** The parser refuses a file above these limits, because it cannot be a list of people. `fieldLength`: in characters. */
export const limits = { columns: 200_000, fieldLength: 16_000_000 }

const quoteCode = 34
const crCode = 13
const lfCode = 10

/** The parser's position in a record. */
type ParserState = 'start' | 'plain' | 'quoted' | 'after-quote'

/**
 * A streaming parser of RFC 4180. Text arrives in chunks of any length; `onRecord` gets each record as soon as it is complete. Lines end with CRLF,
 * LF or CR. Rows are counted as in a spreadsheet: a record with line breaks in its cells is one row; an empty line is a row, too, but not a record.
 * `firstRow`: the number of the first row. The parser is strict about quotes and throws CsvSyntaxError: with a tolerant parser, one wrong quote could
 * turn many records into a single one. (Papaparse does not report the row of a record, and has no limit for the size of a field.)
 */
export class CsvParser {
  private readonly delimiter: number
  private state: ParserState = 'start'
  private fields: string[] = []
  private field = ''
  private line = 1
  private row: number
  /** The lines on which this row and the two previous rows begin. */
  private begins: readonly [number, number, number] = [1, 0, 0]
  /** The line of the last opening quotation mark. */
  private quoteLine = 1
  /** Whether the previous character was a CR. A following LF then belongs to the same line end. */
  private crBefore = false

  constructor(
    delimiter: string,
    private readonly onRecord: (record: CsvRecord) => void,
    firstRow = 1,
  ) {
    this.delimiter = delimiter.charCodeAt(0)
    this.row = firstRow
  }

  push(text: string): void {
    let at = 0
    while (at < text.length) {
      if (this.state === 'quoted') at = this.readQuoted(text, at)
      else if (this.state === 'after-quote') at = this.readAfterQuote(text, at)
      else at = this.readPlain(text, at)
      if (this.field.length > limits.fieldLength) throw this.syntaxError('field-too-long', this.begins[0])
    }
  }

  /** Call it at the end of the text: emits the last record, which may have no line end. */
  end(): void {
    if (this.state === 'quoted') throw this.syntaxError('unclosed-quote', this.quoteLine)
    if (this.fields.length > 0 || this.state !== 'start') this.endRecord()
  }

  private readPlain(text: string, from: number): number {
    const firstCode = text.charCodeAt(from)
    if (this.state === 'start') {
      if (this.crBefore && firstCode === lfCode) {
        this.crBefore = false
        return from + 1
      }
      this.crBefore = false
      this.state = 'plain'
    }
    let at = from
    while (at < text.length) {
      const code = text.charCodeAt(at)
      if (code === this.delimiter || code === lfCode || code === crCode) break
      if (code === quoteCode && isBlank(this.field) && isBlank(text.slice(from, at))) return this.beginQuoted(at)
      at += 1
    }
    this.field += text.slice(from, at)
    return at < text.length ? this.endField(text.charCodeAt(at), at) : at
  }

  /** Begins a quoted cell at its quotation mark. Files written by hand may have spaces between the delimiter and the quotation mark. */
  private beginQuoted(at: number): number {
    this.field = ''
    this.state = 'quoted'
    this.quoteLine = this.line
    return at + 1
  }

  private readQuoted(text: string, from: number): number {
    const quote = text.indexOf('"', from)
    const end = quote === -1 ? text.length : quote
    this.countLines(text, from, end)
    this.field += text.slice(from, end)
    if (quote === -1) return end
    this.state = 'after-quote'
    this.crBefore = false
    return end + 1
  }

  private readAfterQuote(text: string, at: number): number {
    const code = text.charCodeAt(at)
    if (code === quoteCode) {
      this.field += '"'
      this.state = 'quoted'
      return at + 1
    }
    if (code === this.delimiter || code === lfCode || code === crCode) return this.endField(code, at)
    // Files written by hand may have spaces between the quote and the delimiter.
    if (code === 32 || code === 9) return at + 1
    throw this.syntaxError('text-after-quote', this.line)
  }

  private endField(code: number, at: number): number {
    if (code === this.delimiter) {
      this.fields.push(this.field)
      this.field = ''
      this.state = 'start'
      if (this.fields.length > limits.columns) throw this.syntaxError('too-many-columns', this.begins[0])
      return at + 1
    }
    this.endRecord()
    this.crBefore = code === crCode
    this.line += 1
    this.row += 1
    this.begins = [this.line, this.begins[0], this.begins[1]]
    return at + 1
  }

  private endRecord(): void {
    this.fields.push(this.field)
    const { fields } = this
    this.fields = []
    this.field = ''
    this.state = 'start'
    if (fields.length > 1 || fields[0]?.trim() !== '') this.onRecord({ row: this.row, fields })
  }

  private syntaxError(problem: CsvProblem, line: number): CsvSyntaxError {
    const { row } = this
    const begins = new Map(this.begins.map((begin, before) => [begin, row - before]))
    return new CsvSyntaxError({ row, line, begins }, problem)
  }

  /** Counts line ends inside quotes. CRLF counts once, even if a chunk ends between CR and LF. */
  private countLines(text: string, from: number, to: number): void {
    for (let at = from; at < to; at += 1) {
      const code = text.charCodeAt(at)
      if (code === crCode || (code === lfCode && !this.crBefore)) this.line += 1
      this.crBefore = code === crCode
    }
  }
}

/** Whether a record has only delimiters and blanks. An import treats such a row as an empty line. */
export function isBlankRecord({ fields }: CsvRecord): boolean {
  return fields.every(isBlank)
}

function isBlank(text: string): boolean {
  return text === '' || text.trim() === ''
}
