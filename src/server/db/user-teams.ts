import type { Pool } from 'pg'
import { teamsOf } from './product-hooks.ts'

/** After this time a user's team is looked up again (ms). */
const validMs = 60_000
/** Users who ask at the same time are looked up together (ms). */
const gatherMs = 20
const maxKnown = 20_000
const maxAtOnce = 500

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The team of each user who takes turns for a connection, as the product's SQL has it. A request does not wait for it: until it is known the user is a team
 * of their own.
 */
export class UserTeams {
  readonly #known = new Map<string, { team: string; since: number }>()
  readonly #asked = new Set<string>()
  #timer: NodeJS.Timeout | null = null

  constructor(private readonly owner: Pool) {}

  /** The team of a user, as far as it is known now. */
  of(user: string): string {
    const known = this.#known.get(user)
    if ((!known || performance.now() - known.since > validMs) && isUuid.test(user)) this.#ask(user)
    return known?.team ?? user
  }

  /** Looks nobody up any more. */
  close(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#asked.clear()
  }

  #ask(user: string): void {
    if (this.#asked.size >= maxAtOnce) return
    this.#asked.add(user)
    this.#timer ??= setTimeout(() => void this.#look(), gatherMs).unref()
  }

  async #look(): Promise<void> {
    const users = [...this.#asked]
    // Without an answer each user is a team of their own until the next look-up.
    const teams = await teamsOf(this.owner, users).catch(() => new Map<string, string>())
    const since = performance.now()
    for (const user of users) {
      this.#asked.delete(user)
      // A map keeps the order in which keys were added: the oldest are first.
      this.#known.delete(user)
      this.#known.set(user, { team: teams.get(user) ?? user, since })
    }
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= maxKnown) break
      this.#known.delete(oldest)
    }
    this.#timer = null
    const [next] = this.#asked
    if (next !== undefined) this.#ask(next)
  }
}
