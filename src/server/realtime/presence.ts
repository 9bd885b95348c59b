import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { Channel } from './channel.ts'
import { appendToTopic } from './change-log.ts'

type Metas = Record<string, { metas: Record<string, unknown>[] }>

const aliveIntervalMs = 10_000

/**
 * Who is in a topic, over all server processes: each tracked channel has a row, and its coming and going is told by the log.
 * Rows of a process that died are swept by the others after half a minute.
 */
export class Presences {
  readonly #mine = new Set<string>()
  readonly #timer: NodeJS.Timeout

  constructor(
    private readonly owner: Pool,
    onError: (error: unknown) => void,
  ) {
    this.#timer = setInterval(() => void this.#keepAlive().catch(onError), aliveIntervalMs)
    this.#timer.unref()
  }

  /** Tracks what a client says of itself in its channel; a second time replaces it. */
  async track(channel: Channel, payload: Record<string, unknown>): Promise<void> {
    const earlier = channel.presenceRef
    const ref = randomUUID()
    channel.presenceRef = ref
    const meta = { ...payload, phx_ref: ref, ...(earlier ? { phx_ref_prev: earlier } : {}) }
    this.#mine.add(ref)
    await this.owner.query('insert into realtime.presences (ref, topic, key, meta) values ($1, $2, $3, $4)', [
      ref,
      channel.name,
      channel.presence.key,
      JSON.stringify(meta),
    ])
    const leaves = earlier ? await this.#take(earlier) : {}
    let joins: Metas = { [channel.presence.key]: { metas: [meta] } }
    if (channel.presenceRef !== ref) {
      // The channel has ended meanwhile, maybe before the row was there to be taken.
      await this.#take(ref)
      joins = {}
    }
    await appendToTopic(this.owner, 'P', channel.name, { joins, leaves })
  }

  async untrack(channel: Channel): Promise<void> {
    const ref = channel.presenceRef
    if (ref === null) return
    channel.presenceRef = null
    const leaves = await this.#take(ref)
    await appendToTopic(this.owner, 'P', channel.name, { joins: {}, leaves })
  }

  /** Everybody in a topic, in the shape of `presence_state`. */
  async stateOf(topic: string): Promise<Metas> {
    const { rows } = await this.owner.query<{ key: string; meta: Record<string, unknown> }>(
      'select key, meta from realtime.presences where topic = $1 order by seen_at limit 1000',
      [topic],
    )
    // A map, as clients choose their keys: `__proto__` is a name like any other.
    const state = new Map<string, Metas[string]>()
    for (const { key, meta } of rows) {
      const there = state.get(key)
      if (there) there.metas.push(meta)
      else state.set(key, { metas: [meta] })
    }
    return Object.fromEntries(state)
  }

  /** At the end of the process: nobody of ours is there any more. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    if (this.#mine.size > 0) await this.#sweep('ref = any ($1)', [[...this.#mine]])
  }

  async #take(ref: string): Promise<Metas> {
    this.#mine.delete(ref)
    const { rows } = await this.owner.query<{ key: string; meta: Record<string, unknown> }>(
      'delete from realtime.presences where ref = $1 returning key, meta',
      [ref],
    )
    return Object.fromEntries(rows.map(({ key, meta }) => [key, { metas: [meta] }]))
  }

  async #keepAlive(): Promise<void> {
    if (this.#mine.size > 0)
      await this.owner.query('update realtime.presences set seen_at = now() where ref = any ($1)', [[...this.#mine]])
    await this.#sweep("seen_at < now() - interval '30 seconds'", [])
  }

  async #sweep(which: string, values: unknown[]): Promise<void> {
    const { rows } = await this.owner.query<{ topic: string; key: string; meta: unknown }>(
      `delete from realtime.presences where ${which} returning topic, key, meta`,
      values,
    )
    for (const { topic, key, meta } of rows)
      await appendToTopic(this.owner, 'P', topic, { joins: {}, leaves: { [key]: { metas: [meta] } } })
  }
}
