/** One record of a CSV file; `line` is the line of the file (from 1) on which it begins. */
export interface CsvRecord {
  line: number
  fields: string[]
}

export type CsvProblem = 'unclosed-quote' | 'text-after-quote' | 'too-many-columns' | 'field-too-long'

/** The file is no CSV from this line on. */
export class CsvSyntaxError extends Error {
  readonly line: number
  readonly problem: CsvProblem
  constructor(line: number, problem: CsvProblem) {
    super(`${problem} on line ${line}`)
    this.line = line
    this.problem = problem
  }
}

/** Beyond these a file is taken for something else than a list of people. */
export const limits = { columns: 200_000, fieldLength: 16_000_000 }

const QUOTE = 34
const CR = 13
const LF = 10

/** Where in a record the parser stands. */
type Place = 'start' | 'plain' | 'quoted' | 'after-quote'

/**
 * RFC 4180 as a stream: text comes in pieces of any length, records go out as soon as they are whole. Lines end with CRLF, LF or CR;
 * empty lines are no records. Strict about quotes, because a record that swallowed its neighbours is worse than a refused file: throws
 * CsvSyntaxError. Own code, as papaparse tells neither the line of a record nor keeps a field that never ends in bounds.
 */
export class CsvParser {
  private readonly delimiter: number
  private place: Place = 'start'
  private fields: string[] = []
  private field = ''
  private line = 1
  private recordLine = 1
  private quoteLine = 1
  private crBefore = false

  constructor(
    delimiter: string,
    private readonly onRecord: (record: CsvRecord) => void,
  ) {
    this.delimiter = delimiter.charCodeAt(0)
  }

  push(text: string): void {
    let at = 0
    while (at < text.length) {
      if (this.place === 'quoted') at = this.readQuoted(text, at)
      else if (this.place === 'after-quote') at = this.readAfterQuote(text, at)
      else at = this.readPlain(text, at)
      if (this.field.length > limits.fieldLength) throw new CsvSyntaxError(this.recordLine, 'field-too-long')
    }
  }

  /** The last record, which need not have a line end. */
  end(): void {
    if (this.place === 'quoted') throw new CsvSyntaxError(this.quoteLine, 'unclosed-quote')
    if (this.fields.length > 0 || this.place !== 'start') this.endRecord()
  }

  private readPlain(text: string, from: number): number {
    const first = text.charCodeAt(from)
    if (this.place === 'start') {
      if (this.crBefore && first === LF) {
        this.crBefore = false
        return from + 1
      }
      this.crBefore = false
      if (first === QUOTE) {
        this.place = 'quoted'
        this.quoteLine = this.line
        return from + 1
      }
      this.place = 'plain'
    }
    let at = from
    while (at < text.length) {
      const code = text.charCodeAt(at)
      if (code === this.delimiter || code === LF || code === CR) break
      at += 1
    }
    this.field += text.slice(from, at)
    return at < text.length ? this.endField(text.charCodeAt(at), at) : at
  }

  private readQuoted(text: string, from: number): number {
    const quote = text.indexOf('"', from)
    const end = quote === -1 ? text.length : quote
    this.countLines(text, from, end)
    this.field += text.slice(from, end)
    if (quote === -1) return end
    this.place = 'after-quote'
    this.crBefore = false
    return end + 1
  }

  private readAfterQuote(text: string, at: number): number {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      this.field += '"'
      this.place = 'quoted'
      return at + 1
    }
    if (code === this.delimiter || code === LF || code === CR) return this.endField(code, at)
    // Blanks between the quote and the delimiter are seen in files written by hand.
    if (code === 32 || code === 9) return at + 1
    throw new CsvSyntaxError(this.line, 'text-after-quote')
  }

  private endField(code: number, at: number): number {
    if (code === this.delimiter) {
      this.fields.push(this.field)
      this.field = ''
      this.place = 'start'
      if (this.fields.length > limits.columns) throw new CsvSyntaxError(this.recordLine, 'too-many-columns')
      return at + 1
    }
    this.endRecord()
    this.crBefore = code === CR
    this.line += 1
    this.recordLine = this.line
    return at + 1
  }

  private endRecord(): void {
    this.fields.push(this.field)
    const { fields } = this
    this.fields = []
    this.field = ''
    this.place = 'start'
    if (fields.length > 1 || fields[0]?.trim() !== '') this.onRecord({ line: this.recordLine, fields })
  }

  /** Line ends inside quotes; CRLF is one, also where a piece of text ends between the two. */
  private countLines(text: string, from: number, to: number): void {
    for (let at = from; at < to; at += 1) {
      const code = text.charCodeAt(at)
      if (code === CR || (code === LF && !this.crBefore)) this.line += 1
      this.crBefore = code === CR
    }
  }
}
