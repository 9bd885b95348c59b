import type { Logger } from 'pino'
import type { Database } from '#server/db/database.ts'
import { ChangeFeed } from './change-feed.ts'
import type { LogEntry } from './change-log.ts'
import type { Channel } from './channel.ts'
import { deliverChanges } from './deliver-changes.ts'
import { type LiveTable, attachLiveTables } from './live-tables.ts'
import { Presences } from './presence.ts'
import { SubscriptionIndex } from './subscription-index.ts'
import { TopicRights } from './topic-rights.ts'

/** A message to a topic. `from` is the id of the socket that sent it. */
interface TopicMessage {
  from: string
  event: string
  payload: unknown
}

/** Stores the channels of this process that receive changes or messages, and delivers both to them. */
export class Hub {
  readonly index = new SubscriptionIndex()
  readonly rights: TopicRights
  readonly presences: Presences
  readonly feed: ChangeFeed
  /** Called when changes may have been missed, so that clients must fetch the current rows. */
  onGap: () => void = () => {}
  readonly owner: Database['owner']
  readonly #onError: (error: unknown) => void
  readonly #channelsByTopic = new Map<string, Set<Channel>>()
  #tables: { generation: number; tablesByOid: Promise<ReadonlyMap<number, LiveTable>> } | null = null

  constructor(
    private readonly database: Database,
    log: Logger,
  ) {
    const { owner, live } = database
    this.#onError = (error) => log.debug({ err: error }, 'a message could not be delivered to a channel')
    this.owner = owner
    this.rights = new TopicRights(database.requests)
    this.presences = new Presences(owner, (error) => log.debug({ err: error }, 'presences could not be updated'))
    this.feed = new ChangeFeed({
      owner: live,
      log,
      onEntries: (entries) => this.#deliver(entries),
      onGap: () => this.onGap(),
    })
  }

  /** Returns the published tables by oid. They are read at the first call, and again after the database was reconnected. */
  tables(): Promise<ReadonlyMap<number, LiveTable>> {
    const { generation } = this.database
    if (this.#tables?.generation !== generation) {
      const tablesByOid = attachLiveTables(this.database.owner).then(
        (list) => new Map(list.map((table) => [table.oid, table])),
      )
      this.#tables = { generation, tablesByOid }
      tablesByOid.catch(() => {
        this.#tables = null
      })
    }
    return this.#tables.tablesByOid
  }

  /**
   * Adds a channel. A private channel receives every message that is committed after the promise resolves. For changes of rows,
   * see `listen`.
   */
  async open(channel: Channel): Promise<void> {
    if (channel.isPrivate) {
      const channels = this.#channelsByTopic.get(channel.name)
      if (channels) channels.add(channel)
      else this.#channelsByTopic.set(channel.name, new Set([channel]))
    }
    await this.listen(channel)
  }

  /**
   * Applies the channel's current subscriptions. The channel receives every change that is committed after the promise
   * resolves.
   */
  async listen(channel: Channel): Promise<void> {
    const tables = await this.tables()
    if (!channel.isOpen) return
    this.index.add(channel, channel.subscriptions, tables)
    await this.startFeed(channel)
  }

  /** Starts the change feed if this channel needs it. */
  async startFeed({ isPrivate, subscriptions }: Channel): Promise<void> {
    if (isPrivate || subscriptions.length > 0) await this.feed.start()
  }

  /** Stops the change feed if no channel needs it. */
  stopFeedIfUnused(): void {
    if (this.index.size === 0 && this.#channelsByTopic.size === 0) this.feed.stop()
  }

  /** Stops the change feed and deletes the presences of this process. */
  async end(): Promise<void> {
    await this.feed.close()
    await this.presences.close()
  }

  /** Closes a channel, removes its subscriptions, and ends its presence. */
  async close(channel: Channel): Promise<void> {
    channel.isOpen = false
    this.index.remove(channel)
    const channels = this.#channelsByTopic.get(channel.name)
    channels?.delete(channel)
    if (channels?.size === 0) this.#channelsByTopic.delete(channel.name)
    this.stopFeedIfUnused()
    await this.presences.untrack(channel)
  }

  async #deliver(entries: LogEntry[]): Promise<void> {
    await deliverChanges(this.database.live, this.index, await this.tables(), entries)
    for (const entry of entries) {
      const channels = entry.topic === null ? undefined : this.#channelsByTopic.get(entry.topic)
      if (channels) this.#deliverInOrder(channels, entry.kind, JSON.parse(entry.record) as TopicMessage)
    }
  }

  /**
   * Sends a message to each of these channels. Each channel gets its messages in order, and a slow check of one channel's
   * rights delays no other channel.
   */
  #deliverInOrder(channels: ReadonlySet<Channel>, kind: LogEntry['kind'], message: TopicMessage): void {
    for (const channel of channels) {
      if (kind === 'B' && message.from === channel.socket.id && !channel.broadcast.self) continue
      if (kind === 'P' && !channel.presence.enabled) continue
      channel.delivery = channel.delivery.then(() => this.#deliverOne(channel, kind, message)).catch(this.#onError)
    }
  }

  async #deliverOne(channel: Channel, kind: LogEntry['kind'], message: TopicMessage): Promise<void> {
    if (!channel.isOpen || !(await this.rights.mayRead(channel.caller, channel.name)) || !channel.isOpen) return
    const frame = { joinRef: null, ref: null, topic: channel.topic }
    if (kind === 'P') channel.socket.send({ ...frame, event: 'presence_diff' }, message)
    else {
      const payload = { type: 'broadcast', event: message.event, payload: message.payload }
      channel.socket.send({ ...frame, event: 'broadcast' }, payload)
    }
  }
}
