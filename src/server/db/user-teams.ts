import type { Pool } from 'pg'
import { readTeams } from './product-hooks.ts'

/** After this time a user's team is looked up again (ms). */
const teamLifeMs = 60_000
/** Users whose requests arrive within this time are looked up in one query (ms). */
const gatherMs = 20
/** Maximum number of users whose team is kept in memory. */
const maxKnown = 20_000
/** Maximum number of users that one query looks up. */
const maxAtOnce = 500

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Knows which team each user belongs to. Under load, the teams take turns at the database; people who work together are one
 * team. The product's SQL defines the teams (`private.teams_of`). Requests do not wait for a look-up: while the team of a
 * user is not known, the user counts as a separate team.
 */
export class UserTeams {
  readonly #known = new Map<string, { team: string; since: number }>()
  readonly #toLookUp = new Set<string>()
  #timer: NodeJS.Timeout | null = null

  constructor(private readonly owner: Pool) {}

  /** Returns the team of a user. Returns the user's own id while the team is not known. */
  of(user: string): string {
    const known = this.#known.get(user)
    if ((!known || performance.now() - known.since > teamLifeMs) && uuidPattern.test(user)) this.#lookUpSoon(user)
    return known?.team ?? user
  }

  /** Ends all look-ups of teams. */
  close(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#toLookUp.clear()
  }

  #lookUpSoon(user: string): void {
    if (this.#toLookUp.size >= maxAtOnce) return
    this.#toLookUp.add(user)
    this.#timer ??= setTimeout(() => void this.#lookUp(), gatherMs).unref()
  }

  async #lookUp(): Promise<void> {
    const users = [...this.#toLookUp]
    // If the look-up fails, each user counts as a separate team until the next look-up.
    const teams = await readTeams(this.owner, users).catch(() => new Map<string, string>())
    const since = performance.now()
    for (const user of users) {
      this.#toLookUp.delete(user)
      // The entry is deleted and added again, so that it moves to the end: a Map keeps insertion order, and the first entries
      // are removed below.
      this.#known.delete(user)
      this.#known.set(user, { team: teams.get(user) ?? user, since })
    }
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= maxKnown) break
      this.#known.delete(oldest)
    }
    this.#timer = null
    const [next] = this.#toLookUp
    if (next !== undefined) this.#lookUpSoon(next)
  }
}
