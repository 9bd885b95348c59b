import type { Channel } from './channel.ts'
import type { LiveTable } from './live-tables.ts'
import type { Subscription } from './subscription.ts'

export interface Subscriber {
  channel: Channel
  subscription: Subscription
}

/**
 * Finds who may be meant by a row without asking everybody: subscriptions that name one scope (`column=eq.…` of the scope) lie under
 * their table and scope, all others under their table.
 */
export class SubscriptionIndex {
  readonly #byPlace = new Map<string, Set<Subscriber>>()
  readonly #places = new Map<Channel, { place: string; subscriber: Subscriber }[]>()

  get size(): number {
    return this.#places.size
  }

  add(channel: Channel, subscriptions: readonly Subscription[], tables: ReadonlyMap<number, LiveTable>): void {
    this.remove(channel)
    const places = subscriptions.flatMap((subscription) =>
      [...subscription.tables].map((oid) => {
        const { filter } = subscription
        const isScoped = filter?.equals != null && filter.column === tables.get(oid)?.scopeColumn
        const scope = isScoped ? (filter.equals as string).toLowerCase() : null
        return { place: placeOf(oid, scope), subscriber: { channel, subscription } }
      }),
    )
    if (places.length === 0) return
    this.#places.set(channel, places)
    for (const { place, subscriber } of places) {
      const there = this.#byPlace.get(place)
      if (there) there.add(subscriber)
      else this.#byPlace.set(place, new Set([subscriber]))
    }
  }

  remove(channel: Channel): void {
    for (const { place, subscriber } of this.#places.get(channel) ?? []) {
      const there = this.#byPlace.get(place)
      there?.delete(subscriber)
      if (there?.size === 0) this.#byPlace.delete(place)
    }
    this.#places.delete(channel)
  }

  /** Who asked for this table and may be meant by a row of this scope; filters are not judged yet. */
  *find(oid: number, scope: string): Iterable<Subscriber> {
    yield* this.#byPlace.get(placeOf(oid, scope.toLowerCase())) ?? []
    yield* this.#byPlace.get(placeOf(oid, null)) ?? []
  }
}

function placeOf(oid: number, scope: string | null): string {
  return scope === null ? String(oid) : `${oid} ${scope}`
}
