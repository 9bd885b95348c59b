import type { Channel } from './channel.ts'
import { type Frame, isObject } from './frames.ts'
import type { Hub } from './hub.ts'
import { readJoin } from './join.ts'
import { limits } from './limits.ts'
import { Budgets } from './budget.ts'
import { isExpired, isWithdrawn, type Listener, type ListenerKeys } from './listener-token.ts'
import type { Socket } from './socket.ts'
import type { SocketRegister } from './socket-register.ts'
import { SocketTokens } from './socket-tokens.ts'
import { subscribe } from './subscription.ts'
import { Talk } from './talk.ts'
import { UserChannels } from './user-channels.ts'

const signInMessage = 'Sign in to hear changes: they are told to members only'

/** What clients say to their channels, one method a word of the protocol. */
export class ChannelVerbs {
  readonly #channels = new Map<Socket, Map<string, Channel>>()
  readonly #ofUsers = new UserChannels()
  readonly #userJoins = new Budgets(limits.userJoins)
  readonly #tokens: SocketTokens
  readonly #talk: Talk
  #lastId = 0

  constructor(
    private readonly hub: Hub,
    private readonly keys: ListenerKeys,
    private readonly register: SocketRegister,
  ) {
    this.#tokens = new SocketTokens(keys)
    this.#talk = new Talk(hub)
  }

  async handle(socket: Socket, frame: Frame): Promise<void> {
    const { topic, event } = frame
    if (!socket.isOpen) return
    if (topic === 'phoenix') {
      if (event === 'heartbeat') socket.reply(frame, 'ok', {})
      return
    }
    if (event === 'phx_join') return this.#join(socket, frame)
    const channel = this.#channels.get(socket)?.get(topic)
    if (!channel) return socket.reply(frame, 'error', { reason: 'unmatched topic' })
    if (event === 'phx_leave') return this.#leave(channel, frame)
    if (event === 'access_token') return this.#renew(channel, frame)
    if (event === 'broadcast') return this.#talk.broadcast(channel, frame)
    if (event === 'presence') return this.#talk.presence(channel, frame)
  }

  hasChannels(socket: Socket): boolean {
    return (this.#channels.get(socket)?.size ?? 0) > 0
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
    this.#userJoins.sweep()
    this.#talk.sweep()
  }

  async #join(socket: Socket, frame: Frame): Promise<void> {
    const earlier = this.#channels.get(socket)?.get(frame.topic)
    if (earlier) {
      this.#end(earlier)
      socket.send({ joinRef: earlier.joinRef, ref: null, topic: earlier.topic, event: 'phx_close' }, {})
    }
    const refuse = (reason: string) => socket.reply(frame, 'error', { reason })
    if (!socket.joins.take()) return refuse(tooManyJoins(limits.joins.rate))
    const join = readJoin(socket, frame, socket.keyListener)
    if (typeof join === 'string') return refuse(join)
    const { channel, bindings } = join
    const listener = await this.#tokens.read(socket, join.token)
    if (typeof listener === 'string') return refuse(listener)
    channel.listener = listener
    const tooMuch = this.#refuseMore(socket, listener, bindings.length)
    if (tooMuch !== null) return refuse(tooMuch)
    if (channel.isPrivate && !(await this.hub.rights.mayUse(listener, channel.name, true)))
      return refuse(`Unauthorized: You do not have permissions to read from this Channel topic: ${channel.name}`)
    channel.bindings = bindings.map((binding) => ({ id: ++this.#lastId, ...binding }))
    const fault = await this.#subscribe(channel)
    // Before the answer: whoever writes as soon as they have it hears of it. A failure is told below.
    await this.hub.startFeed(channel).catch(() => {})
    // It may have gone meanwhile: nobody would ever close this channel.
    if (!socket.isOpen) return this.hub.stopFeedIfUnheard()
    const channels = this.#channels.get(socket) ?? new Map<string, Channel>()
    this.#channels.set(socket, channels)
    channels.set(frame.topic, channel)
    this.#ofUsers.add(channel)
    const opened = this.hub.open(channel)
    socket.reply(frame, 'ok', { postgres_changes: channel.bindings })
    try {
      await opened
    } catch (error) {
      this.#shut(channel, 'The changes cannot be read now')
      throw error
    }
    if (bindings.length > 0) this.#tellSubscribed(channel, fault)
    if (channel.isPrivate && channel.presence.enabled)
      this.#push(channel, 'presence_state', await this.hub.presences.stateOf(channel.name))
  }

  /** Why this listener may not have another channel with so many bindings on this socket; null where they may. */
  #refuseMore(socket: Socket, listener: Listener, bindings: number): string | null {
    const { sub, role } = listener
    if (sub !== null) {
      const tooManySockets = this.register.identify(socket, sub)
      if (tooManySockets !== null) return tooManySockets
      if (!this.#userJoins.take(sub)) return tooManyJoins(limits.userJoins.rate)
    }
    const isAnonymous = role === 'anon'
    if (isAnonymous && !socket.anonymousJoins.take()) return tooManyJoins(limits.anonymousJoins.rate)
    const channels = Array.from(this.#channels.get(socket)?.values() ?? [])
    const most = isAnonymous ? limits.channelsOfAnonymous : limits.channelsOfSocket
    if (channels.length >= most) return `Too many channels: at most ${most} on one connection. Leave some of them`
    const { bindingsOfSocket } = limits
    if (channels.reduce((sum, one) => sum + one.bindings.length, bindings) > bindingsOfSocket)
      return `Too many bindings: at most ${bindingsOfSocket} on one connection. Leave some channels`
    return sub === null ? null : this.#ofUsers.refusal(sub, bindings)
  }

  /** Reads the channel's bindings for its listener; a text where they are not heard. Without a member's token none are. */
  async #subscribe(channel: Channel): Promise<string | null> {
    channel.subscriptions = []
    if (channel.bindings.length === 0) return null
    if (channel.listener.role === 'anon') return signInMessage
    const tables = [...(await this.hub.tables()).values()]
    const understood = channel.bindings.map(({ id, ...binding }) => subscribe(binding, tables, id))
    channel.subscriptions = understood.filter((one) => typeof one !== 'string')
    const fault = understood.find((one) => typeof one === 'string')
    return typeof fault === 'string' ? fault : null
  }

  #tellSubscribed(channel: Channel, fault: string | null): void {
    const message = fault === null ? 'Subscribed to PostgreSQL' : `Unable to subscribe to changes: ${fault}`
    const status = fault === null ? 'ok' : 'error'
    this.#push(channel, 'system', { extension: 'postgres_changes', status, message, channel: channel.name })
  }

  #leave(channel: Channel, frame: Frame): void {
    this.#end(channel)
    channel.socket.reply(frame, 'ok', {})
    channel.socket.send({ joinRef: channel.joinRef, ref: null, topic: channel.topic, event: 'phx_close' }, {})
  }

  async #renew(channel: Channel, frame: Frame): Promise<void> {
    const token = isObject(frame.payload) ? frame.payload['access_token'] : undefined
    const listener = await this.#tokens.read(channel.socket, token)
    // It may have ended meanwhile: it would count among its user's channels for ever.
    if (!channel.isOpen) return
    if (typeof listener === 'string') return this.#shut(channel, listener)
    const { sub } = channel.listener
    channel.listener = listener
    if (listener.sub !== sub && !(await this.#handOver(channel))) return
    if (channel.isPrivate && !(await this.hub.rights.mayUse(listener, channel.name, true)))
      this.#shut(channel, 'You do not have permissions to read from this Channel topic')
  }

  /** Somebody signed in or out, or another took over: the channel is theirs now. False where it had to be closed. */
  async #handOver(channel: Channel): Promise<boolean> {
    const { sub } = channel.listener
    this.#ofUsers.remove(channel)
    const tooMuch =
      sub === null
        ? null
        : (this.register.identify(channel.socket, sub) ?? this.#ofUsers.refusal(sub, channel.bindings.length))
    if (tooMuch !== null) {
      this.#shut(channel, tooMuch)
      return false
    }
    this.#ofUsers.add(channel)
    const fault = await this.#subscribe(channel)
    await this.hub.listen(channel)
    if (channel.bindings.length > 0) this.#tellSubscribed(channel, fault)
    return channel.isOpen
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
    this.#ofUsers.remove(channel)
    // Where the database is away, presence forgets whoever is silent by itself.
    this.hub.close(channel).catch(() => {})
  }
}

function tooManyJoins(rate: number): string {
  return `Too many joins: at most ${rate} a second. Try again in a second`
}
