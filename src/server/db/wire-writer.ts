/**
 * Writes messages of PostgreSQL's extended query protocol (PostgreSQL manual, "Message Formats") into one buffer. The
 * buffer is reused, so a batch needs one write and leaves no garbage to collect.
 */
export class WireWriter {
  #buffer = Buffer.allocUnsafe(startBytes)
  #at = 0

  /** Starts a new batch. Overwrites the bytes of the last batch, which must have been sent. */
  reset(): void {
    this.#at = 0
    if (this.#buffer.length > maxKeptBytes) this.#buffer = Buffer.allocUnsafe(startBytes)
  }

  /** Returns the bytes of the batch. They are valid until the next `reset`. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#at)
  }

  /** Writes a Parse message: PostgreSQL prepares the statement `text` under this name. */
  parse(name: string, text: string): void {
    const start = this.#open(parseType)
    this.#writeTerminated(name)
    this.#writeTerminated(text)
    this.#writeInt16(0)
    this.#close(start)
  }

  /** Writes a Bind message: PostgreSQL creates the unnamed portal from this prepared statement and these values. */
  bind(name: string, values: readonly unknown[]): void {
    const start = this.#open(bindType)
    this.#writeTerminated('')
    this.#writeTerminated(name)
    const count = values.length
    this.#writeInt16(count)
    for (let i = 0; i < count; i++) this.#writeInt16(Buffer.isBuffer(values[i]) ? 1 : 0)
    this.#writeInt16(count)
    for (let i = 0; i < count; i++) this.#writeValue(values[i])
    this.#writeInt16(0)
    this.#close(start)
  }

  describePortal(): void {
    this.#writeFixed(describePortalMessage)
  }

  execute(): void {
    this.#writeFixed(executeMessage)
  }

  closeStatement(name: string): void {
    const start = this.#open(closeType)
    this.#reserve(1)
    this.#buffer[this.#at++] = statementKind
    this.#writeTerminated(name)
    this.#close(start)
  }

  sync(): void {
    this.#writeFixed(syncMessage)
  }

  /** Requests the results so far. Unlike the message of `sync`, this message does not end the transaction. */
  flush(): void {
    this.#writeFixed(flushMessage)
  }

  #writeValue(value: unknown): void {
    if (value === null || value === undefined) {
      this.#writeInt32(-1)
    } else if (Buffer.isBuffer(value)) {
      this.#reserve(4 + value.length)
      this.#writeInt32(value.length)
      this.#at += value.copy(this.#buffer, this.#at)
    } else {
      const text = typeof value === 'string' ? value : asText(value)
      this.#reserve(4 + text.length * 3)
      const length = this.#buffer.write(text, this.#at + 4)
      this.#buffer.writeInt32BE(length, this.#at)
      this.#at += 4 + length
    }
  }

  #writeTerminated(text: string): void {
    this.#reserve(text.length * 3 + 1)
    this.#at += this.#buffer.write(text, this.#at)
    this.#buffer[this.#at++] = 0
  }

  #writeInt16(value: number): void {
    this.#reserve(2)
    this.#at = this.#buffer.writeUInt16BE(value, this.#at)
  }

  #writeInt32(value: number): void {
    this.#reserve(4)
    this.#at = this.#buffer.writeInt32BE(value, this.#at)
  }

  #writeFixed(message: Buffer): void {
    this.#reserve(message.length)
    this.#at += message.copy(this.#buffer, this.#at)
  }

  #open(type: number): number {
    this.#reserve(5)
    this.#buffer[this.#at] = type
    const start = this.#at + 1
    this.#at += 5
    return start
  }

  #close(start: number): void {
    this.#buffer.writeInt32BE(this.#at - start, start)
  }

  #reserve(more: number): void {
    if (this.#at + more <= this.#buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#at + more))
    this.#buffer.copy(larger, 0, 0, this.#at)
    this.#buffer = larger
  }
}

const startBytes = 16_384
/** Maximum size of a buffer that is reused (bytes). A larger one, which one large request needed, is dropped. */
const maxKeptBytes = 262_144

const parseType = 0x50
const bindType = 0x42
const closeType = 0x43
const statementKind = 0x53
/** The message that ends a batch. PostgreSQL then commits the batch, unless an error has rolled it back. */
export const syncMessage = Buffer.from([0x53, 0, 0, 0, 4])
const flushMessage = Buffer.from([0x48, 0, 0, 0, 4])
/** The message that executes the unnamed portal and returns all rows. */
const executeMessage = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0])
const describePortalMessage = Buffer.from([0x44, 0, 0, 0, 6, 0x50, 0])

function asText(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return arrayLiteral(value)
  return typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : `${value as number}`
}

function arrayLiteral(values: readonly unknown[]): string {
  const items = values.map((value) => {
    if (value === null || value === undefined) return 'NULL'
    if (Array.isArray(value)) return arrayLiteral(value)
    return `"${asText(value).replace(/["\\]/g, '\\$&')}"`
  })
  return `{${items.join(',')}}`
}
