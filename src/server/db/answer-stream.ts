import { AnswerRefused, maxAnswerBytes } from './answer-limits.ts'

/** Takes what belongs to one request. */
export interface AnswerReader {
  /** False: no more bytes are taken now. */
  takeBytes(bytes: number): boolean
  /** The content of a DataRow message that pg's parser does not see. */
  readLargeRow(content: Buffer): void
}

/** An answer below this is not worth accounting for: nearly all are. */
const countedFromBytes = 16 * 1024
/**
 * A DataRow above this is collected in one piece of its size: pg's parser doubles its buffer and makes strings, four times
 * the memory. Below it, so many buffers would cost more of garbage collection than they save.
 */
const largeRowBytes = 1024 * 1024
const dataRowType = 0x44
/** A type and the length behind it, which counts itself. */
const headerBytes = 5

/**
 * Stands between a connection's socket and pg's parser and follows the headers of PostgreSQL's messages: an answer that
 * is too large is refused by its length, before it is read into memory.
 */
export class AnswerStream {
  readonly #parse: (bytes: Buffer) => void
  readonly #largeRow: number
  #reader: AnswerReader | null = null
  #sum = 0
  /** Bytes that came and were not accounted for. */
  #untaken = 0
  /** Bytes of the present message that have not come yet. */
  #left = 0
  /** The large row that is being collected, and how much of it is there. */
  #large: Buffer | null = null
  #filled = 0
  /** The beginning of a header that a chunk has cut. */
  #cut: Buffer | null = null

  constructor(parse: (bytes: Buffer) => void, largeRow = largeRowBytes) {
    this.#parse = parse
    this.#largeRow = largeRow
  }

  /** From now on messages belong to this request. */
  begin(reader: AnswerReader): void {
    this.#reader = reader
    this.#sum = 0
    this.#untaken = 0
  }

  /** The request is answered: nothing of it is kept here. */
  end(): void {
    this.#reader = null
  }

  /** Passes on what came. Returns why no more may be read of this connection. */
  read(given: Buffer): AnswerRefused | null {
    const chunk = this.#cut === null ? given : Buffer.concat([this.#cut, given])
    this.#cut = null
    const { length } = chunk
    let at = 0
    let passed = 0
    while (at < length) {
      if (this.#large !== null) {
        at = this.#collect(this.#large, chunk, at)
        passed = at
        continue
      }
      if (this.#left > 0) {
        const step = Math.min(this.#left, length - at)
        this.#left -= step
        at += step
        continue
      }
      if (length - at < headerBytes) {
        this.#cut = chunk.subarray(at)
        break
      }
      const size = 1 + chunk.readUInt32BE(at + 1)
      this.#untaken += size
      this.#sum += size
      if (this.#sum > maxAnswerBytes) return new AnswerRefused('too large')
      if (size > this.#largeRow && chunk[at] === dataRowType) {
        if (!this.#take()) return new AnswerRefused('busy')
        if (at > passed) this.#parse(chunk.subarray(passed, at))
        this.#large = Buffer.allocUnsafeSlow(size - headerBytes)
        this.#filled = 0
        at += headerBytes
        passed = at
      } else {
        this.#left = size
      }
    }
    if (this.#untaken > countedFromBytes && !this.#take()) return new AnswerRefused('busy')
    if (at > passed) this.#parse(passed === 0 && at === length ? chunk : chunk.subarray(passed, at))
    return null
  }

  #take(): boolean {
    const bytes = this.#untaken
    this.#untaken = 0
    return this.#reader === null || this.#reader.takeBytes(bytes)
  }

  #collect(large: Buffer, chunk: Buffer, at: number): number {
    const copied = chunk.copy(large, this.#filled, at)
    this.#filled += copied
    if (this.#filled === large.length) {
      this.#large = null
      this.#reader?.readLargeRow(large)
    }
    return at + copied
  }
}
