import type { RequestDatabase } from '#server/db/as-caller.ts'
import type { Listener } from './listener-token.ts'

/** A right is asked for anew after this time: who was removed hears at most so long on. Milliseconds. */
const freshMs = 1000
const maxRemembered = 10_000

/** Who may use a private topic: the policies of `realtime.messages` decide over `realtime.topic()`, as on Supabase. */
export class TopicRights {
  readonly #known = new Map<string, { at: number; answer: Promise<boolean> }>()

  constructor(private readonly requests: RequestDatabase) {}

  /** Whether the policies let this listener read the topic now (an answer may be a second old unless `anew`). */
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
      // A share of their own: whoever waits for slow requests still hears their colleagues.
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
