import type { RequestDatabase } from '#server/db/as-caller.ts'
import type { Listener } from './listener-token.ts'

/** A right is checked again after this time, so a removed member receives messages at most this long. */
const freshMs = 1000
const maxRemembered = 10_000

/** Who may use a private topic: the policies of `realtime.messages` decide by `realtime.topic()`, as in Supabase. */
export class TopicRights {
  readonly #known = new Map<string, { at: number; answer: Promise<boolean> }>()

  constructor(private readonly requests: RequestDatabase) {}

  /** Whether the policies let this listener read the topic. The answer may be one second old unless `anew` is set. */
  mayUse(listener: Listener, topic: string, anew = false): Promise<boolean> {
    const key = `${topic} ${listener.claims}`
    const known = this.#known.get(key)
    if (!anew && known && performance.now() - known.at < freshMs) return known.answer
    const answer = this.#ask(listener, topic)
    if (this.#known.size >= maxRemembered) this.#known.clear()
    this.#known.set(key, { at: performance.now(), answer })
    answer.catch(() => this.#known.delete(key))
    return answer
  }

  async #ask(listener: Listener, topic: string): Promise<boolean> {
    const context = {
      role: listener.role,
      claims: listener.claims,
      headers: '{}',
      method: 'GET',
      path: '/realtime/v1/websocket',
      // A separate share of the connections, so that a user with slow requests still gets messages.
      user: `live ${listener.sub ?? listener.role}`,
      timeoutMs: 5000,
    }
    const [, rows] = await this.requests.run(context, [
      { text: "select set_config('realtime.topic', $1, true)", values: [topic] },
      { text: 'select extension from realtime.messages', values: [] },
    ])
    return (rows?.rowCount ?? 0) > 0
  }
}
