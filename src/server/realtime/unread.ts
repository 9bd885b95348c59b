import { limits } from './limits.ts'

/** Counts bytes in memory that sockets have not read yet. */
export class Unread {
  #bytes = 0

  constructor(private readonly totalLimit: number = limits.unreadInAll) {}

  get bytes(): number {
    return this.#bytes
  }

  /** Whether a socket with `waiting` unread bytes is too slow to get `more`. */
  exceedsLimit(waiting: number, more: number): boolean {
    if (waiting > limits.unreadOfSocket) return true
    return waiting > limits.unreadSpared && this.#bytes + more > this.totalLimit
  }

  /** Counts bytes as unread until the returned function is called. Call it once. */
  hold(bytes: number): () => void {
    this.#bytes += bytes
    return () => {
      this.#bytes -= bytes
    }
  }
}
