import type { Channel } from './channel.ts'
import type { LiveTable } from './live-tables.ts'
import type { Subscription } from './subscription.ts'

export interface Subscriber {
  channel: Channel
  subscription: Subscription
}

/** The owner of subscriptions with the secret key, which may see everything. */
export const serviceKey = ''

/**
 * Finds the subscriptions that may match a row, without checking all. Subscriptions that name one scope (`column=eq.…`
 * of the scope) are stored by table and scope, all others by table; each of these is divided by user, so that
 * subscriptions of other users cost nothing.
 */
export class SubscriptionIndex {
  readonly #byPlace = new Map<string, Map<string, Set<Subscriber>>>()
  readonly #places = new Map<Channel, { place: string; owner: string; subscriber: Subscriber }[]>()

  get size(): number {
    return this.#places.size
  }

  add(channel: Channel, subscriptions: readonly Subscription[], tables: ReadonlyMap<number, LiveTable>): void {
    this.remove(channel)
    const owner = channel.listener.sub ?? serviceKey
    const places = subscriptions.flatMap((subscription) =>
      [...subscription.tables].map((oid) => {
        const { filter } = subscription
        const isScoped = filter?.equals != null && filter.column === tables.get(oid)?.scopeColumn
        const scope = isScoped ? (filter.equals as string).toLowerCase() : null
        return { place: placeOf(oid, scope), owner, subscriber: { channel, subscription } }
      }),
    )
    if (places.length === 0) return
    this.#places.set(channel, places)
    for (const { place, subscriber } of places) {
      const byOwner = this.#byPlace.get(place) ?? new Map<string, Set<Subscriber>>()
      this.#byPlace.set(place, byOwner)
      const own = byOwner.get(owner)
      if (own) own.add(subscriber)
      else byOwner.set(owner, new Set([subscriber]))
    }
  }

  remove(channel: Channel): void {
    for (const { place, owner, subscriber } of this.#places.get(channel) ?? []) {
      const byOwner = this.#byPlace.get(place)
      const own = byOwner?.get(owner)
      own?.delete(subscriber)
      if (own?.size === 0) byOwner?.delete(owner)
      if (byOwner?.size === 0) this.#byPlace.delete(place)
    }
    this.#places.delete(channel)
  }

  /** Whether any subscription may match a row of this table and scope. */
  has(oid: number, scope: string): boolean {
    return this.#byPlace.has(placeOf(oid, scope.toLowerCase())) || this.#byPlace.has(placeOf(oid, null))
  }

  /** The subscriptions of these users that may match a row of this table and scope. Filters are not applied yet. */
  *find(oid: number, scope: string, users: Iterable<string>): Iterable<Subscriber> {
    const [scoped, whole] = [
      this.#byPlace.get(placeOf(oid, scope.toLowerCase())),
      this.#byPlace.get(placeOf(oid, null)),
    ]
    if (!scoped && !whole) return
    for (const user of users) {
      yield* scoped?.get(user) ?? []
      yield* whole?.get(user) ?? []
    }
  }
}

function placeOf(oid: number, scope: string | null): string {
  return scope === null ? String(oid) : `${oid} ${scope}`
}
