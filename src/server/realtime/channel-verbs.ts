import { appendToTopic } from './change-log.ts'
import type { Channel } from './channel.ts'
import { type Frame, isObject } from './frames.ts'
import type { Hub } from './hub.ts'
import { readJoin } from './join.ts'
import { isExpired, isWithdrawn, type Listener, type ListenerKeys, readListener } from './listener-token.ts'
import type { Socket } from './socket.ts'
import { type Binding, type Subscription, subscribe } from './subscription.ts'

const MOST_CHANNELS = 100

/** What clients say to their channels, one method a word of the protocol. */
export class ChannelVerbs {
  readonly #channels = new Map<Socket, Map<string, Channel>>()
  #lastId = 0

  constructor(
    private readonly hub: Hub,
    private readonly keys: ListenerKeys,
  ) {}

  async handle(socket: Socket, frame: Frame): Promise<void> {
    const { topic, event } = frame
    if (topic === 'phoenix') {
      if (event === 'heartbeat') socket.reply(frame, 'ok', {})
      return
    }
    if (event === 'phx_join') return this.#join(socket, frame)
    const channel = this.#channels.get(socket)?.get(topic)
    if (!channel) return socket.reply(frame, 'error', { reason: 'unmatched topic' })
    if (event === 'phx_leave') return this.#leave(channel, frame)
    if (event === 'access_token') return this.#renew(channel, frame)
    if (event === 'broadcast') return this.#broadcast(channel, frame)
    if (event === 'presence') return this.#presence(channel, frame)
  }

  /** A connection is gone, and its channels with it. */
  forget(socket: Socket): void {
    for (const channel of Array.from(this.#channels.get(socket)?.values() ?? [])) this.#end(channel)
    this.#channels.delete(socket)
  }

  /** Tokens end while nothing is said; so do the channels that they opened. */
  closeExpired(): void {
    for (const channels of this.#channels.values())
      for (const channel of Array.from(channels.values()))
        if (isExpired(channel.listener) || isWithdrawn(channel.listener, this.keys))
          this.#shut(channel, 'Token has expired')
  }

  async #join(socket: Socket, frame: Frame): Promise<void> {
    const channels = this.#channels.get(socket) ?? new Map<string, Channel>()
    this.#channels.set(socket, channels)
    const earlier = channels.get(frame.topic)
    if (earlier) {
      this.#end(earlier)
      socket.send({ joinRef: earlier.joinRef, ref: null, topic: earlier.topic, event: 'phx_close' }, {})
    }
    const refuse = (reason: string) => socket.reply(frame, 'error', { reason })
    if (channels.size >= MOST_CHANNELS) return refuse('Too many channels')
    const join = readJoin(socket, frame, socket.keyListener)
    if (typeof join === 'string') return refuse(join)
    const { channel, bindings } = join
    const listener = await readListener(join.token, this.keys, socket.keyListener)
    if (typeof listener === 'string') return refuse(listener)
    channel.listener = listener
    if (channel.isPrivate && !(await this.hub.rights.mayUse(listener, channel.name, true)))
      return refuse(`Unauthorized: You do not have permissions to read from this Channel topic: ${channel.name}`)
    const tables = [...(await this.hub.tables()).values()]
    const understood = bindings.map((binding) => subscribe(binding, tables, ++this.#lastId))
    const isSubscription = (one: Subscription | string): one is Subscription => typeof one !== 'string'
    channel.subscriptions = understood.filter(isSubscription)
    channels.set(frame.topic, channel)
    const opened = this.hub.open(channel)
    const answer = bindings.map((binding, place) => echo(binding, understood[place], () => ++this.#lastId))
    socket.reply(frame, 'ok', { postgres_changes: answer })
    try {
      await opened
    } catch (error) {
      this.#shut(channel, 'The changes cannot be read now')
      throw error
    }
    if (bindings.length > 0)
      this.#tellSubscribed(
        channel,
        understood.find((one) => typeof one === 'string'),
      )
    if (channel.isPrivate && channel.presence.enabled)
      this.#push(channel, 'presence_state', await this.hub.presences.stateOf(channel.name))
  }

  #tellSubscribed(channel: Channel, fault: Subscription | string | undefined): void {
    const message = typeof fault === 'string' ? `Unable to subscribe to changes: ${fault}` : 'Subscribed to PostgreSQL'
    const status = typeof fault === 'string' ? 'error' : 'ok'
    this.#push(channel, 'system', { extension: 'postgres_changes', status, message, channel: channel.name })
  }

  #leave(channel: Channel, frame: Frame): void {
    this.#end(channel)
    channel.socket.reply(frame, 'ok', {})
    channel.socket.send({ joinRef: channel.joinRef, ref: null, topic: channel.topic, event: 'phx_close' }, {})
  }

  async #renew(channel: Channel, frame: Frame): Promise<void> {
    const token = isObject(frame.payload) ? frame.payload['access_token'] : undefined
    const listener: Listener | string = await readListener(token, this.keys, channel.socket.keyListener)
    if (typeof listener === 'string') return this.#shut(channel, listener)
    channel.listener = listener
    if (channel.isPrivate && !(await this.hub.rights.mayUse(listener, channel.name, true)))
      this.#shut(channel, 'You do not have permissions to read from this Channel topic')
  }

  async #broadcast(channel: Channel, frame: Frame): Promise<void> {
    const { payload } = frame
    const event = isObject(payload) ? payload['event'] : undefined
    if (typeof event !== 'string')
      return channel.socket.reply(frame, 'error', { reason: 'A broadcast names its event' })
    if (!(await this.#mayTalk(channel))) {
      if (channel.broadcast.ack) channel.socket.reply(frame, 'error', { reason: 'Not allowed in this topic' })
      return
    }
    const said = { from: channel.socket.id, event, payload: isObject(payload) ? (payload['payload'] ?? {}) : {} }
    await appendToTopic(this.hub.owner, 'B', channel.name, said)
    this.hub.feed.nudge()
    if (channel.broadcast.ack) channel.socket.reply(frame, 'ok', {})
  }

  async #presence(channel: Channel, frame: Frame): Promise<void> {
    const { payload } = frame
    const said = isObject(payload) ? payload['event'] : undefined
    const verb = typeof said === 'string' ? said.toLowerCase() : ''
    if (!(await this.#mayTalk(channel)))
      return channel.socket.reply(frame, 'error', { reason: 'Not allowed in this topic' })
    if (verb === 'track') {
      const meta = isObject(payload) && isObject(payload['payload']) ? payload['payload'] : {}
      await this.hub.presences.track(channel, meta)
    } else if (verb === 'untrack') await this.hub.presences.untrack(channel)
    else return channel.socket.reply(frame, 'error', { reason: 'track or untrack' })
    this.hub.feed.nudge()
    channel.socket.reply(frame, 'ok', {})
  }

  /** People talk in private topics only: there the policies know who they are. */
  async #mayTalk(channel: Channel): Promise<boolean> {
    return channel.isPrivate && !isExpired(channel.listener) && this.hub.rights.mayUse(channel.listener, channel.name)
  }

  #push(channel: Channel, event: string, payload: unknown): void {
    if (!channel.isOpen) return
    channel.socket.send({ joinRef: channel.joinRef, ref: null, topic: channel.topic, event }, payload)
  }

  /** Ends a channel from our side, with the reason. */
  #shut(channel: Channel, message: string): void {
    const said = { extension: 'system', status: 'error', message, channel: channel.name }
    this.#push(channel, 'system', said)
    this.#push(channel, 'phx_close', {})
    this.#end(channel)
  }

  #end(channel: Channel): void {
    const channels = this.#channels.get(channel.socket)
    if (channels?.get(channel.topic) === channel) channels.delete(channel.topic)
    // Where the database is away, presence forgets whoever is silent by itself.
    this.hub.close(channel).catch(() => {})
  }
}

/** The answer to a binding: its own words and the id of its events. What means nothing gets an id too: the lists must match. */
function echo(binding: Binding, understood: Subscription | string | undefined, newId: () => number) {
  const id = typeof understood === 'object' ? understood.id : newId()
  return { id, ...binding }
}
