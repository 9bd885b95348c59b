import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { Channel } from './channel.ts'
import { appendToTopic } from './change-log.ts'

type PresenceMetas = Record<string, { metas: Record<string, unknown>[] }>

/** Interval at which a process renews its presences and deletes the expired presences of all processes (ms). */
const aliveIntervalMs = 10_000

/**
 * Stores the presences of all server processes. Each channel that tracks a presence has a row in realtime.presences.
 * Changes of presences are announced through the change log. If a process dies, the other processes delete its rows after
 * 30 to 40 s.
 */
export class Presences {
  /** The references of the presences that this process has stored. */
  readonly #ownRefs = new Set<string>()
  readonly #timer: NodeJS.Timeout

  constructor(
    private readonly owner: Pool,
    onError: (error: unknown) => void,
  ) {
    this.#timer = setInterval(() => void this.#keepAlive().catch(onError), aliveIntervalMs)
    this.#timer.unref()
  }

  /** Stores the presence of a channel. It replaces the earlier presence of the channel. */
  async track(channel: Channel, payload: Record<string, unknown>): Promise<void> {
    const earlierRef = channel.presenceRef
    const ref = randomUUID()
    channel.presenceRef = ref
    const meta = { ...payload, phx_ref: ref, ...(earlierRef ? { phx_ref_prev: earlierRef } : {}) }
    this.#ownRefs.add(ref)
    try {
      await this.owner.query('insert into realtime.presences (ref, topic, key, meta) values ($1, $2, $3, $4)', [
        ref,
        channel.name,
        channel.presence.key,
        JSON.stringify(meta),
      ])
    } catch (error) {
      this.#ownRefs.delete(ref)
      if (channel.presenceRef === ref) channel.presenceRef = earlierRef
      throw error
    }
    const leaves = earlierRef ? await this.#deleteRow(earlierRef) : {}
    let joins: PresenceMetas = { [channel.presence.key]: { metas: [meta] } }
    if (channel.presenceRef !== ref) {
      // While this row was written, the channel was closed or sent a newer presence: the row is out of date.
      await this.#deleteRow(ref)
      joins = {}
    }
    await appendToTopic(this.owner, 'P', channel.name, { joins, leaves })
  }

  /** Deletes the presence of a channel. Does nothing if the channel has none. */
  async untrack(channel: Channel): Promise<void> {
    const ref = channel.presenceRef
    if (ref === null) return
    channel.presenceRef = null
    const leaves = await this.#deleteRow(ref)
    await appendToTopic(this.owner, 'P', channel.name, { joins: {}, leaves })
  }

  /** Returns the presences in a topic, at most 1000, in the format of `presence_state`. */
  async stateOf(topic: string): Promise<PresenceMetas> {
    const { rows } = await this.owner.query<{ key: string; meta: Record<string, unknown> }>(
      'select key, meta from realtime.presences where topic = $1 order by seen_at limit 1000',
      [topic],
    )
    // A Map is used, because clients choose the keys, and one may be `__proto__`.
    const state = new Map<string, PresenceMetas[string]>()
    for (const { key, meta } of rows) {
      const entry = state.get(key)
      if (entry) entry.metas.push(meta)
      else state.set(key, { metas: [meta] })
    }
    return Object.fromEntries(state)
  }

  /** Deletes the presences of this process. Call it at the end of the process. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    if (this.#ownRefs.size > 0) await this.#sweep('ref = any ($1)', [[...this.#ownRefs]])
  }

  async #deleteRow(ref: string): Promise<PresenceMetas> {
    this.#ownRefs.delete(ref)
    const { rows } = await this.owner.query<{ key: string; meta: Record<string, unknown> }>(
      'delete from realtime.presences where ref = $1 returning key, meta',
      [ref],
    )
    return Object.fromEntries(rows.map(({ key, meta }) => [key, { metas: [meta] }]))
  }

  async #keepAlive(): Promise<void> {
    if (this.#ownRefs.size > 0)
      await this.owner.query('update realtime.presences set seen_at = now() where ref = any ($1)', [[...this.#ownRefs]])
    await this.#sweep("seen_at < now() - interval '30 seconds'", [])
  }

  /** Deletes the presences that match this SQL condition, and announces that they have ended. */
  async #sweep(condition: string, values: unknown[]): Promise<void> {
    const { rows } = await this.owner.query<{ topic: string; key: string; meta: unknown }>(
      `delete from realtime.presences where ${condition} returning topic, key, meta`,
      values,
    )
    for (const { topic, key, meta } of rows)
      await appendToTopic(this.owner, 'P', topic, { joins: {}, leaves: { [key]: { metas: [meta] } } })
  }
}
