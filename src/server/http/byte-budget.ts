/** The limits of a budget, in bytes. */
export interface Shares {
  /** For all owners together. */
  total: number
  /** For one owner (a user, an address). */
  each: number
  /** A holder of no more than this may use up to half of `total` on top when `total` is used up. */
  small: number
}

interface Owner {
  bytes: number
  holders: number
}

/** Counts bytes that this process holds in memory, with a limit for all owners together and a limit for each owner. */
export class ByteBudget {
  readonly #shares: Shares
  readonly #owners = new Map<string, Owner>()
  #bytes = 0

  constructor(shares: Shares) {
    this.#shares = shares
  }

  /** Starts a holder for an owner. Call `release` on it when the bytes are freed. */
  hold(name: string): HeldBytes {
    let owner = this.#owners.get(name)
    if (!owner) {
      owner = { bytes: 0, holders: 0 }
      this.#owners.set(name, owner)
    }
    owner.holders++
    return new HeldBytes(this, name, owner)
  }

  /** Bytes that are held now. */
  get bytes(): number {
    return this.#bytes
  }

  take(owner: Owner, held: number, more: number): boolean {
    const { total, each, small } = this.#shares
    if (owner.bytes + more > each) return false
    if (this.#bytes + more > (held + more <= small ? total * 1.5 : total)) return false
    owner.bytes += more
    this.#bytes += more
    return true
  }

  returnBytes(name: string, owner: Owner, held: number): void {
    owner.bytes -= held
    this.#bytes -= held
    if (--owner.holders === 0) this.#owners.delete(name)
  }
}

/** The bytes that one request holds of a budget. */
export class HeldBytes {
  readonly #budget: ByteBudget
  readonly #name: string
  readonly #owner: Owner
  #bytes = 0
  #isReleased = false

  constructor(budget: ByteBudget, name: string, owner: Owner) {
    this.#budget = budget
    this.#name = name
    this.#owner = owner
  }

  /** Adds bytes to what is held. Returns false, and adds none, where a limit would be exceeded. */
  take(more: number): boolean {
    if (this.#isReleased || !this.#budget.take(this.#owner, this.#bytes, more)) return false
    this.#bytes += more
    return true
  }

  /** Frees all bytes. A second call does nothing. */
  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#budget.returnBytes(this.#name, this.#owner, this.#bytes)
  }
}
