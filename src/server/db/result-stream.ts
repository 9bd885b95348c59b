import { ResultRefusedError, maxResultBytes } from './result-limits.ts'

/** Receives PostgreSQL's messages for one request. */
export interface ResultReader {
  /** Counts bytes that are held in memory for the request. Returns false if no more bytes may be held now. */
  takeBytes(bytes: number): boolean
  /** Receives the content of a large DataRow message. It is not passed to the parser of the package pg. */
  readLargeRow(content: Buffer): void
}

/** The bytes of a result are counted in the memory budget only above this size (bytes). Nearly all results are smaller. */
const countedFromBytes = 16 * 1024
/**
 * A DataRow message above this size (bytes) is collected in a buffer of exactly its size. pg's parser would need four times the
 * memory: the parser doubles its buffer when it is full, and then creates a string for each field. For smaller rows, the
 * garbage collection of these buffers would cost more than they save.
 */
const largeRowBytes = 1024 * 1024
const dataRowType = 0x44
/** Size of the header of a message: the type byte, and 4 bytes of length. The length includes itself but not the type. */
const headerBytes = 5

/**
 * Sits between a connection's socket and pg's parser, and reads the headers of PostgreSQL's messages. A result that is
 * too large is refused by its announced length, before it is read into memory.
 */
export class ResultStream {
  readonly #parse: (bytes: Buffer) => void
  readonly #largeRowBytes: number
  #reader: ResultReader | null = null
  /** Number of bytes of all messages since `begin` or `end`, by their announced lengths. */
  #sum = 0
  /** Number of bytes that have arrived and are not counted in the budget yet. */
  #uncounted = 0
  /** Number of bytes of the current message that have not arrived yet. */
  #remaining = 0
  /** The large row that is being collected, and how many of its bytes have arrived. */
  #large: Buffer | null = null
  #filled = 0
  /** The first bytes of a header whose rest is in the next chunk. */
  #partialHeader: Buffer | null = null

  constructor(parse: (bytes: Buffer) => void, largeRow = largeRowBytes) {
    this.#parse = parse
    this.#largeRowBytes = largeRow
  }

  /** Passes the following messages to `reader`, until `end`. */
  begin(reader: ResultReader): void {
    this.#reader = reader
    this.#sum = 0
    this.#uncounted = 0
  }

  /**
   * Stops passing messages to the reader, and starts the sum of bytes anew. Call it when the request is done, and before its
   * commit is sent: the messages about the commit must not be refused because of the result before them.
   */
  end(): void {
    this.#reader = null
    this.#sum = 0
    this.#uncounted = 0
  }

  /**
   * Passes received bytes to the parser and to the reader. If the result is refused, returns an error, and nothing more may
   * be read.
   */
  read(received: Buffer): ResultRefusedError | null {
    const chunk = this.#partialHeader === null ? received : Buffer.concat([this.#partialHeader, received])
    this.#partialHeader = null
    const { length } = chunk
    let at = 0
    let passedUntil = 0
    while (at < length) {
      if (this.#large !== null) {
        at = this.#collect(this.#large, chunk, at)
        passedUntil = at
        continue
      }
      if (this.#remaining > 0) {
        const step = Math.min(this.#remaining, length - at)
        this.#remaining -= step
        at += step
        continue
      }
      if (length - at < headerBytes) {
        this.#partialHeader = chunk.subarray(at)
        break
      }
      const size = 1 + chunk.readUInt32BE(at + 1)
      this.#uncounted += size
      this.#sum += size
      if (this.#sum > maxResultBytes) return new ResultRefusedError('too large')
      if (size > this.#largeRowBytes && chunk[at] === dataRowType) {
        if (!this.#takeUncounted()) return new ResultRefusedError('busy')
        if (at > passedUntil) this.#parse(chunk.subarray(passedUntil, at))
        this.#large = Buffer.allocUnsafeSlow(size - headerBytes)
        this.#filled = 0
        at += headerBytes
        passedUntil = at
      } else {
        this.#remaining = size
      }
    }
    if (this.#uncounted > countedFromBytes && !this.#takeUncounted()) return new ResultRefusedError('busy')
    if (at > passedUntil) this.#parse(passedUntil === 0 && at === length ? chunk : chunk.subarray(passedUntil, at))
    return null
  }

  #takeUncounted(): boolean {
    const bytes = this.#uncounted
    this.#uncounted = 0
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
