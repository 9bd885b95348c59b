import type { Logger } from 'pino'
import type { Database } from '#server/db/database.ts'
import { ChangeFeed } from './change-feed.ts'
import type { LogEntry } from './change-log.ts'
import type { Channel } from './channel.ts'
import { deliverChanges } from './deliver-changes.ts'
import { type LiveTable, readLiveTables } from './live-tables.ts'
import { Presences } from './presence.ts'
import { SubscriptionIndex } from './subscription-index.ts'
import { TopicRights } from './topic-rights.ts'

/** What was said in a topic: `from` is the socket that said it. */
interface Said {
  from: string
  event: string
  payload: unknown
}

/** All channels of this process, and the feed that they hear. */
export class Hub {
  readonly index = new SubscriptionIndex()
  readonly rights: TopicRights
  readonly presences: Presences
  readonly feed: ChangeFeed
  /** Called where changes may have been missed. */
  onGap: () => void = () => {}
  readonly owner: Database['owner']
  readonly #talking = new Map<string, Set<Channel>>()
  #tables: { generation: number; read: Promise<ReadonlyMap<number, LiveTable>> } | null = null

  constructor(
    private readonly database: Database,
    log: Logger,
  ) {
    const { owner } = database
    this.owner = owner
    this.rights = new TopicRights(database.requests)
    this.presences = new Presences(owner, (error) => log.debug({ err: error }, 'presence was not kept up'))
    this.feed = new ChangeFeed({
      owner,
      log,
      onEntries: (entries) => this.#deliver(entries),
      onGap: () => this.onGap(),
    })
  }

  /** The tables that are told, by their oid; read anew after a reconnect. */
  tables(): Promise<ReadonlyMap<number, LiveTable>> {
    const { generation } = this.database
    if (this.#tables?.generation !== generation) {
      const read = readLiveTables(this.database.owner).then((list) => new Map(list.map((table) => [table.oid, table])))
      this.#tables = { generation, read }
      read.catch(() => {
        this.#tables = null
      })
    }
    return this.#tables.read
  }

  /** From when this resolves on, the channel hears what is committed. */
  async open(channel: Channel): Promise<void> {
    this.index.add(channel, channel.subscriptions, await this.tables())
    if (channel.isPrivate) {
      const there = this.#talking.get(channel.name)
      if (there) there.add(channel)
      else this.#talking.set(channel.name, new Set([channel]))
    }
    if (channel.isPrivate || channel.subscriptions.length > 0) await this.feed.start()
  }

  /** Ends everything. */
  async end(): Promise<void> {
    await this.feed.close()
    await this.presences.close()
  }

  /** The channel hears nothing more. */
  async close(channel: Channel): Promise<void> {
    channel.isOpen = false
    this.index.remove(channel)
    const there = this.#talking.get(channel.name)
    there?.delete(channel)
    if (there?.size === 0) this.#talking.delete(channel.name)
    if (this.index.size === 0 && this.#talking.size === 0) this.feed.stop()
    await this.presences.untrack(channel)
  }

  async #deliver(entries: LogEntry[]): Promise<void> {
    await deliverChanges(this.database.owner, this.index, await this.tables(), entries)
    for (const entry of entries) {
      if (entry.topic !== null) await this.#tell(entry.topic, entry.kind, JSON.parse(entry.record))
    }
  }

  async #tell(name: string, kind: LogEntry['kind'], record: unknown): Promise<void> {
    for (const channel of Array.from(this.#talking.get(name) ?? [])) {
      const said = record as Said
      if (kind === 'B' && said.from === channel.socket.id && !channel.broadcast.self) continue
      if (kind === 'P' && !channel.presence.enabled) continue
      if (!(await this.rights.mayUse(channel.listener, name)) || !channel.isOpen) continue
      const frame = { joinRef: null, ref: null, topic: channel.topic }
      if (kind === 'P') channel.socket.send({ ...frame, event: 'presence_diff' }, record)
      else {
        const payload = { type: 'broadcast', event: said.event, payload: said.payload }
        channel.socket.send({ ...frame, event: 'broadcast' }, payload)
      }
    }
  }
}
