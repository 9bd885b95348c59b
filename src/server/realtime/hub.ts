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
  readonly #onError: (error: unknown) => void
  readonly #talking = new Map<string, Set<Channel>>()
  #tables: { generation: number; read: Promise<ReadonlyMap<number, LiveTable>> } | null = null

  constructor(
    private readonly database: Database,
    log: Logger,
  ) {
    const { owner, live } = database
    this.#onError = (error) => log.debug({ err: error }, 'a channel was not told')
    this.owner = owner
    this.rights = new TopicRights(database.requests)
    this.presences = new Presences(owner, (error) => log.debug({ err: error }, 'presence was not kept up'))
    this.feed = new ChangeFeed({
      owner: live,
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
    if (channel.isPrivate) {
      const there = this.#talking.get(channel.name)
      if (there) there.add(channel)
      else this.#talking.set(channel.name, new Set([channel]))
    }
    await this.listen(channel)
  }

  /** What the channel listens to has changed. From when this resolves on, it hears what is committed. */
  async listen(channel: Channel): Promise<void> {
    const tables = await this.tables()
    if (!channel.isOpen) return
    this.index.add(channel, channel.subscriptions, tables)
    await this.startFeed(channel)
  }

  /** Begins to read changes where this channel hears any. */
  async startFeed({ isPrivate, subscriptions }: Channel): Promise<void> {
    if (isPrivate || subscriptions.length > 0) await this.feed.start()
  }

  /** Reads no further where no channel hears anything. */
  stopFeedIfUnheard(): void {
    if (this.index.size === 0 && this.#talking.size === 0) this.feed.stop()
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
    this.stopFeedIfUnheard()
    await this.presences.untrack(channel)
  }

  async #deliver(entries: LogEntry[]): Promise<void> {
    await deliverChanges(this.database.live, this.index, await this.tables(), entries)
    for (const entry of entries) {
      const there = entry.topic === null ? undefined : this.#talking.get(entry.topic)
      if (there) this.#tell(there, entry.kind, JSON.parse(entry.record) as Said)
    }
  }

  /** Each channel hears in order; one whose right takes long to read keeps nobody else waiting. */
  #tell(there: ReadonlySet<Channel>, kind: LogEntry['kind'], said: Said): void {
    for (const channel of there) {
      if (kind === 'B' && said.from === channel.socket.id && !channel.broadcast.self) continue
      if (kind === 'P' && !channel.presence.enabled) continue
      channel.telling = channel.telling.then(() => this.#tellOne(channel, kind, said)).catch(this.#onError)
    }
  }

  async #tellOne(channel: Channel, kind: LogEntry['kind'], said: Said): Promise<void> {
    if (!channel.isOpen || !(await this.rights.mayUse(channel.listener, channel.name)) || !channel.isOpen) return
    const frame = { joinRef: null, ref: null, topic: channel.topic }
    if (kind === 'P') channel.socket.send({ ...frame, event: 'presence_diff' }, said)
    else {
      const payload = { type: 'broadcast', event: said.event, payload: said.payload }
      channel.socket.send({ ...frame, event: 'broadcast' }, payload)
    }
  }
}
