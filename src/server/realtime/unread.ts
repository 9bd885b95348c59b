import { limits } from './limits.ts'

/** Bytes that wait in memory until their sockets read them. */
export class Unread {
  #bytes = 0

  constructor(private readonly inAll: number = limits.unreadInAll) {}

  get bytes(): number {
    return this.#bytes
  }

  /** Whether a socket for which `waiting` bytes lie here already is too slow for `more`. */
  isTooMuch(waiting: number, more: number): boolean {
    if (waiting > limits.unreadOfSocket) return true
    return waiting > limits.unreadSpared && this.#bytes + more > this.inAll
  }

  /** They wait from now on, until the function that is returned is called: once. */
  hold(bytes: number): () => void {
    this.#bytes += bytes
    return () => {
      this.#bytes -= bytes
    }
  }
}
