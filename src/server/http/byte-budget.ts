/** What a budget gives. Bytes. */
export interface Shares {
  /** To all together. */
  total: number
  /** To one owner (a user, an address). */
  each: number
  /** What holds no more than this may go on when the total is used up, up to half of the total more. */
  small: number
}

interface Owner {
  bytes: number
  holders: number
}

/** Bytes that this process holds for others at the same time, bounded in all and for each owner. */
export class ByteBudget {
  readonly #shares: Shares
  readonly #owners = new Map<string, Owner>()
  #bytes = 0

  constructor(shares: Shares) {
    this.#shares = shares
  }

  /** Begins to hold bytes for an owner; `release` must be called once they are no longer held. */
  hold(name: string): HeldBytes {
    let owner = this.#owners.get(name)
    if (!owner) {
      owner = { bytes: 0, holders: 0 }
      this.#owners.set(name, owner)
    }
    owner.holders++
    return new HeldBytes(this, name, owner)
  }

  /** How many bytes are held now. */
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

  giveBack(name: string, owner: Owner, held: number): void {
    owner.bytes -= held
    this.#bytes -= held
    if (--owner.holders === 0) this.#owners.delete(name)
  }
}

/** What one request holds of a budget. */
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

  /** Holds that many more. False where the budget has no room for them: then none of them is held. */
  take(more: number): boolean {
    if (this.#isReleased || !this.#budget.take(this.#owner, this.#bytes, more)) return false
    this.#bytes += more
    return true
  }

  /** Holds nothing any more; again is harmless. */
  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#budget.giveBack(this.#name, this.#owner, this.#bytes)
  }
}
