import { limits } from './limits.ts'

/** Counts the bytes in memory that the clients of all sockets have not read yet. */
export class UnreadBytes {
  #bytes = 0

  constructor(private readonly totalLimit: number = limits.unreadBytesInTotal) {}

  get bytes(): number {
    return this.#bytes
  }

  /** Whether the limits forbid sending `addedBytes` to a socket that has `socketBytes` unread bytes already. */
  exceedsLimit(socketBytes: number, addedBytes: number): boolean {
    if (socketBytes > limits.unreadBytesOfSocket) return true
    return socketBytes > limits.unreadBytesAlwaysAllowed && this.#bytes + addedBytes > this.totalLimit
  }

  /** Counts these bytes as unread. The returned function subtracts them again; call it once. */
  hold(bytes: number): () => void {
    this.#bytes += bytes
    return () => {
      this.#bytes -= bytes
    }
  }
}
