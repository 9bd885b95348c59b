import { limits } from './limits.ts'

/** Counts the bytes in memory that the clients of all sockets have not read yet. */
export class UnreadBytes {
  #bytes = 0

  constructor(private readonly totalLimit: number = limits.unreadBytesInTotal) {}

  get bytes(): number {
    return this.#bytes
  }

  /** Whether the limits forbid sending `more` bytes to a socket that has `waiting` unread bytes already. */
  exceedsLimit(waiting: number, more: number): boolean {
    if (waiting > limits.unreadBytesOfSocket) return true
    return waiting > limits.unreadBytesAlwaysAllowed && this.#bytes + more > this.totalLimit
  }

  /** Counts these bytes as unread. The returned function subtracts them again; call it once. */
  hold(bytes: number): () => void {
    this.#bytes += bytes
    return () => {
      this.#bytes -= bytes
    }
  }
}
