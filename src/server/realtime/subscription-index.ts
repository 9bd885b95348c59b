import type { Channel } from './channel.ts'
import type { LiveTable } from './live-tables.ts'
import type { Subscription } from './subscription.ts'

export interface Subscriber {
  channel: Channel
  subscription: Subscription
}

/**
 * The user id under which subscriptions with the secret key are stored. The secret key has no user and may see everything.
 */
export const userIdOfSecretKey = ''

/**
 * Finds the subscriptions that may match a row, without examining all of them. A subscription with the filter `<scope
 * column>=eq.<scope>` is stored by table and scope, any other subscription by table. Both kinds are also stored by user, so
 * that the subscriptions of other users are not examined.
 */
export class SubscriptionIndex {
  readonly #subscribersByKey = new Map<string, Map<string, Set<Subscriber>>>()
  readonly #entriesByChannel = new Map<Channel, { key: string; user: string; subscriber: Subscriber }[]>()

  get size(): number {
    return this.#entriesByChannel.size
  }

  add(channel: Channel, subscriptions: readonly Subscription[], tables: ReadonlyMap<number, LiveTable>): void {
    this.remove(channel)
    const user = channel.caller.sub ?? userIdOfSecretKey
    const entries = subscriptions.flatMap((subscription) =>
      [...subscription.tables].map((oid) => {
        const { filter } = subscription
        const isScoped = filter?.equals != null && filter.column === tables.get(oid)?.scopeColumn
        const scope = isScoped ? (filter.equals as string).toLowerCase() : null
        return { key: keyOf(oid, scope), user, subscriber: { channel, subscription } }
      }),
    )
    if (entries.length === 0) return
    this.#entriesByChannel.set(channel, entries)
    for (const { key, subscriber } of entries) {
      const byUser = this.#subscribersByKey.get(key) ?? new Map<string, Set<Subscriber>>()
      this.#subscribersByKey.set(key, byUser)
      const subscribersOfUser = byUser.get(user)
      if (subscribersOfUser) subscribersOfUser.add(subscriber)
      else byUser.set(user, new Set([subscriber]))
    }
  }

  remove(channel: Channel): void {
    for (const { key, user, subscriber } of this.#entriesByChannel.get(channel) ?? []) {
      const byUser = this.#subscribersByKey.get(key)
      const subscribersOfUser = byUser?.get(user)
      subscribersOfUser?.delete(subscriber)
      if (subscribersOfUser?.size === 0) byUser?.delete(user)
      if (byUser?.size === 0) this.#subscribersByKey.delete(key)
    }
    this.#entriesByChannel.delete(channel)
  }

  /** Returns whether any subscription may match a row of this table and scope. */
  has(oid: number, scope: string): boolean {
    return this.#subscribersByKey.has(keyOf(oid, scope.toLowerCase())) || this.#subscribersByKey.has(keyOf(oid, null))
  }

  /**
   * Yields the subscriptions of these users that may match a row of this table and scope. The calling code must still apply
   * their filters.
   */
  *find(oid: number, scope: string, users: Iterable<string>): Iterable<Subscriber> {
    const [scoped, unscoped] = [
      this.#subscribersByKey.get(keyOf(oid, scope.toLowerCase())),
      this.#subscribersByKey.get(keyOf(oid, null)),
    ]
    if (!scoped && !unscoped) return
    for (const user of users) {
      yield* scoped?.get(user) ?? []
      yield* unscoped?.get(user) ?? []
    }
  }
}

function keyOf(oid: number, scope: string | null): string {
  return scope === null ? String(oid) : `${oid} ${scope}`
}
