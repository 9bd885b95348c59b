/** The limits of a budget, in bytes. */
export interface ByteLimits {
  /** Maximum number of bytes of all keys together, except for small requests. */
  totalBytes: number
  /** Maximum number of bytes of one key. A key is a user or a network. */
  bytesPerKey: number
  /** Above `totalBytes`, only requests of at most `smallRequestBytes` get bytes, up to 1.5 times `totalBytes`. */
  smallRequestBytes: number
}

interface KeyUse {
  bytes: number
  requests: number
}

/** Counts the bytes that requests hold in memory, with a limit for all requests together and one for each key (a user or a network). */
export class ByteBudget {
  readonly #limits: ByteLimits
  readonly #keys = new Map<string, KeyUse>()
  #bytes = 0

  constructor(limits: ByteLimits) {
    this.#limits = limits
  }

  /**
   * Returns a counter for the bytes of one request of this key. Call the counter's `release` when the bytes are no longer in
   * memory.
   */
  hold(key: string): HeldBytes {
    let use = this.#keys.get(key)
    if (!use) {
      use = { bytes: 0, requests: 0 }
      this.#keys.set(key, use)
    }
    use.requests++
    return new HeldBytes(this, key, use)
  }

  /** The number of bytes that all requests hold now. */
  get bytes(): number {
    return this.#bytes
  }

  /** Whether no request of this key may hold further bytes, however small it is. */
  isFull(key: string): boolean {
    const { totalBytes, bytesPerKey } = this.#limits
    return (this.#keys.get(key)?.bytes ?? 0) >= bytesPerKey || this.#bytes >= totalBytes * 1.5
  }

  /** Called by `HeldBytes.take`. `held`: the bytes that the request holds already. */
  take(use: KeyUse, held: number, more: number, mayExceed: boolean): boolean {
    const { totalBytes, bytesPerKey, smallRequestBytes } = this.#limits
    const limit = held + more <= smallRequestBytes ? totalBytes * 1.5 : totalBytes
    if (!mayExceed && (use.bytes + more > bytesPerKey || this.#bytes + more > limit)) return false
    use.bytes += more
    this.#bytes += more
    return true
  }

  /** Called by `HeldBytes.release`. */
  returnBytes(key: string, use: KeyUse, held: number): void {
    use.bytes -= held
    this.#bytes -= held
    if (--use.requests === 0) this.#keys.delete(key)
  }
}

/** The bytes that one request holds. */
export class HeldBytes {
  readonly #budget: ByteBudget
  readonly #key: string
  readonly #use: KeyUse
  #bytes = 0
  #isReleased = false

  constructor(budget: ByteBudget, key: string, use: KeyUse) {
    this.#budget = budget
    this.#key = key
    this.#use = use
  }

  /**
   * Adds `more` bytes and returns true. Adds nothing and returns false after `release`, or if a limit would be exceeded. With
   * `mayExceed`, the limits do not apply.
   */
  take(more: number, { mayExceed = false } = {}): boolean {
    if (this.#isReleased || !this.#budget.take(this.#use, this.#bytes, more, mayExceed)) return false
    this.#bytes += more
    return true
  }

  /** Gives all bytes of the request back to the budget. A second call does nothing. */
  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#budget.returnBytes(this.#key, this.#use, this.#bytes)
  }
}
