import { limits } from './limits.ts'

/** Counts the bytes in memory that clients have not read yet. */
export class UnreadBytes {
  #bytes = 0

  constructor(private readonly totalLimit: number = limits.unreadBytesInTotal) {}

  get bytes(): number {
    return this.#bytes
  }

  /** Returns whether a socket with `waiting` unread bytes reads too slowly to get `more` bytes. */
  exceedsLimit(waiting: number, more: number): boolean {
    if (waiting > limits.unreadBytesOfSocket) return true
    return waiting > limits.unreadBytesAlwaysAllowed && this.#bytes + more > this.totalLimit
  }

  /** Counts bytes as unread until the returned function is called. Call the returned function once. */
  hold(bytes: number): () => void {
    this.#bytes += bytes
    return () => {
      this.#bytes -= bytes
    }
  }
}
