import type { RequestDatabase } from '#server/db/as-caller.ts'
import type { SocketCaller } from './caller-token.ts'

/** Time after which a right is checked again. A removed member receives messages for at most this time. */
const rightLifeMs = 1000
const maxCachedRights = 10_000

/**
 * Checks who may use a private topic. As in Supabase, the policies of `realtime.messages` decide it; they get the topic
 * from `realtime.topic()`.
 */
export class TopicRights {
  readonly #cachedRights = new Map<string, { at: number; result: Promise<boolean> }>()

  constructor(private readonly requests: RequestDatabase) {}

  /**
   * Returns whether the policies let this caller read the topic. If `isFresh` is false, the result may be up to one
   * second old.
   */
  mayRead(caller: SocketCaller, topic: string, isFresh = false): Promise<boolean> {
    const key = `${topic} ${caller.claims}`
    const cached = this.#cachedRights.get(key)
    if (!isFresh && cached && performance.now() - cached.at < rightLifeMs) return cached.result
    const result = this.#query(caller, topic)
    if (this.#cachedRights.size >= maxCachedRights) this.#cachedRights.clear()
    this.#cachedRights.set(key, { at: performance.now(), result })
    result.catch(() => this.#cachedRights.delete(key))
    return result
  }

  async #query(caller: SocketCaller, topic: string): Promise<boolean> {
    const context = {
      role: caller.role,
      claims: caller.claims,
      headers: '{}',
      method: 'GET',
      path: '/realtime/v1/websocket',
      // The check runs under a separate user name, so that slow requests of the same user do not delay the user's messages.
      user: `live ${caller.sub ?? caller.role}`,
      timeoutMs: 5000,
    }
    const [, rows] = await this.requests.run(context, [
      { text: "select set_config('realtime.topic', $1, true)", values: [topic] },
      { text: 'select extension from realtime.messages', values: [] },
    ])
    return (rows?.rowCount ?? 0) > 0
  }
}
