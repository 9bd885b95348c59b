import type { Channel } from './channel.ts'
import { type Frame, isObject } from './frames.ts'
import type { Hub } from './hub.ts'
import { readJoin } from './join.ts'
import { limits } from './limits.ts'
import { TokenBuckets } from './token-bucket.ts'
import { isExpired, isKeyWithdrawn, type SocketCaller, type CallerKeys } from './caller-token.ts'
import type { Socket } from './socket.ts'
import type { SocketRegister } from './socket-register.ts'
import { SocketTokens } from './socket-tokens.ts'
import { resolveBinding } from './subscription.ts'
import { TopicMessages } from './topic-messages.ts'
import { UserChannels } from './user-channels.ts'

const signInMessage = 'Sign in to receive changes: only members receive them'

/** Handles the messages that clients send about channels: `handle` calls the method for the event of each message. */
export class ChannelRequests {
  readonly #channels = new Map<Socket, Map<string, Channel>>()
  readonly #userChannels = new UserChannels()
  readonly #userJoins = new TokenBuckets(limits.userJoins)
  readonly #tokens: SocketTokens
  readonly #messages: TopicMessages
  #lastId = 0

  constructor(
    private readonly hub: Hub,
    private readonly keys: CallerKeys,
    private readonly register: SocketRegister,
  ) {
    this.#tokens = new SocketTokens(keys)
    this.#messages = new TopicMessages(hub)
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
    if (event === 'broadcast') return this.#messages.broadcast(channel, frame)
    if (event === 'presence') return this.#messages.presence(channel, frame)
  }

  hasChannels(socket: Socket): boolean {
    return (this.#channels.get(socket)?.size ?? 0) > 0
  }

  /** Closes all channels of a closed connection. */
  closeChannelsOf(socket: Socket): void {
    for (const channel of Array.from(this.#channels.get(socket)?.values() ?? [])) this.#end(channel)
    this.#channels.delete(socket)
  }

  /**
   * Closes the channels whose token has expired, or whose token was signed with a key that is no longer accepted. Call it
   * regularly, because the clients of such channels may send no message. Also deletes the token buckets that are full again.
   */
  closeExpired(): void {
    for (const channels of this.#channels.values())
      for (const channel of Array.from(channels.values()))
        if (isExpired(channel.caller) || isKeyWithdrawn(channel.caller, this.keys))
          this.#closeChannel(channel, 'Token has expired')
    this.#userJoins.sweep()
    this.#messages.sweep()
  }

  async #join(socket: Socket, frame: Frame): Promise<void> {
    const earlierChannel = this.#channels.get(socket)?.get(frame.topic)
    if (earlierChannel) {
      this.#end(earlierChannel)
      socket.send({ joinRef: earlierChannel.joinRef, ref: null, topic: earlierChannel.topic, event: 'phx_close' }, {})
    }
    const refuse = (reason: string) => socket.reply(frame, 'error', { reason })
    if (!socket.joins.take()) return refuse(tooManyJoins(limits.joins.rate))
    const join = readJoin(socket, frame, socket.keyCaller)
    if (typeof join === 'string') return refuse(join)
    const { channel, bindings } = join
    const caller = await this.#tokens.read(socket, join.token)
    if (typeof caller === 'string') return refuse(caller)
    channel.caller = caller
    const limitRefusal = this.#countJoin(socket, caller, bindings.length)
    if (limitRefusal !== null) return refuse(limitRefusal)
    if (channel.isPrivate && !(await this.hub.rights.mayRead(caller, channel.name, true)))
      return refuse(`Unauthorized: You do not have permissions to read from this Channel topic: ${channel.name}`)
    channel.bindings = bindings.map((binding) => ({ id: ++this.#lastId, ...binding }))
    const fault = await this.#subscribe(channel)
    // The feed starts before the reply, so that a client that writes right after the reply gets the change. An error is
    // ignored here, because `hub.open` below starts the feed again and reports the error.
    await this.hub.startFeed(channel).catch(() => {})
    // If the connection has closed meanwhile, nothing else stops the feed that was just started.
    if (!socket.isOpen) return this.hub.stopFeedIfUnused()
    const channels = this.#channels.get(socket) ?? new Map<string, Channel>()
    this.#channels.set(socket, channels)
    channels.set(frame.topic, channel)
    this.#userChannels.add(channel)
    const opened = this.hub.open(channel)
    socket.reply(frame, 'ok', { postgres_changes: channel.bindings })
    try {
      await opened
    } catch (error) {
      this.#closeChannel(channel, 'The changes cannot be read now')
      throw error
    }
    if (bindings.length > 0) this.#replySubscribed(channel, fault)
    if (channel.isPrivate && channel.presence.enabled)
      this.#push(channel, 'presence_state', await this.hub.presences.stateOf(channel.name))
  }

  /**
   * Assigns the socket to the caller's user, and counts a join against the limits of the socket and of the user. Checks that
   * neither the socket nor the user gets too many channels or bindings, and that the user does not get too many sockets.
   * Returns null if the limits allow the join, otherwise the reason of the refusal.
   */
  #countJoin(socket: Socket, caller: SocketCaller, bindingCount: number): string | null {
    const { sub, role } = caller
    if (sub !== null) {
      const tooManySockets = this.register.assignUser(socket, sub)
      if (tooManySockets !== null) return tooManySockets
      if (!this.#userJoins.take(sub)) return tooManyJoins(limits.userJoins.rate)
    }
    const isAnonymous = role === 'anon'
    if (isAnonymous && !socket.anonymousJoins.take()) return tooManyJoins(limits.anonymousJoins.rate)
    const channels = Array.from(this.#channels.get(socket)?.values() ?? [])
    const maxChannels = isAnonymous ? limits.channelsOfAnonymous : limits.channelsOfSocket
    if (channels.length >= maxChannels)
      return `Too many channels: at most ${maxChannels} on one connection. Leave some of them`
    const { bindingsOfSocket } = limits
    if (channels.reduce((sum, channel) => sum + channel.bindings.length, bindingCount) > bindingsOfSocket)
      return `Too many bindings: at most ${bindingsOfSocket} on one connection. Leave some channels`
    return sub === null ? null : this.#userChannels.refusalReason(sub, bindingCount)
  }

  /**
   * Resolves the channel's bindings to subscriptions. Returns null, or the reason why a binding is refused. An anonymous
   * caller gets no changes.
   */
  async #subscribe(channel: Channel): Promise<string | null> {
    channel.subscriptions = []
    if (channel.bindings.length === 0) return null
    if (channel.caller.role === 'anon') return signInMessage
    const tables = [...(await this.hub.tables()).values()]
    const resolved = channel.bindings.map(({ id, ...binding }) => resolveBinding(binding, tables, id))
    channel.subscriptions = resolved.filter((result) => typeof result !== 'string')
    const fault = resolved.find((result) => typeof result === 'string')
    return typeof fault === 'string' ? fault : null
  }

  #replySubscribed(channel: Channel, fault: string | null): void {
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
    const caller = await this.#tokens.read(channel.socket, token)
    // The channel may have closed meanwhile. If a closed channel were counted
    // again, nothing would ever remove it from the limit of its user.
    if (!channel.isOpen) return
    if (typeof caller === 'string') return this.#closeChannel(channel, caller)
    const { sub } = channel.caller
    channel.caller = caller
    if (caller.sub !== sub && !(await this.#changeCaller(channel))) return
    if (channel.isPrivate && !(await this.hub.rights.mayRead(caller, channel.name, true)))
      this.#closeChannel(channel, 'You do not have permissions to read from this Channel topic')
  }

  /**
   * Adapts the channel to its new caller, after the client has sent the token of another user, has signed in or has signed out.
   * Returns false if the channel had to be closed, or its client has closed it meanwhile.
   */
  async #changeCaller(channel: Channel): Promise<boolean> {
    const { sub } = channel.caller
    this.#userChannels.remove(channel)
    const limitRefusal =
      sub === null
        ? null
        : (this.register.assignUser(channel.socket, sub) ??
          this.#userChannels.refusalReason(sub, channel.bindings.length))
    if (limitRefusal !== null) {
      this.#closeChannel(channel, limitRefusal)
      return false
    }
    this.#userChannels.add(channel)
    const fault = await this.#subscribe(channel)
    await this.hub.listen(channel)
    if (channel.bindings.length > 0) this.#replySubscribed(channel, fault)
    return channel.isOpen
  }

  #push(channel: Channel, event: string, payload: unknown): void {
    if (!channel.isOpen) return
    channel.socket.send({ joinRef: channel.joinRef, ref: null, topic: channel.topic, event }, payload)
  }

  /** Tells the client why its channel is closed, and closes the channel. */
  #closeChannel(channel: Channel, message: string): void {
    const payload = { extension: 'system', status: 'error', message, channel: channel.name }
    this.#push(channel, 'system', payload)
    this.#push(channel, 'phx_close', {})
    this.#end(channel)
  }

  #end(channel: Channel): void {
    const channels = this.#channels.get(channel.socket)
    if (channels?.get(channel.topic) === channel) channels.delete(channel.topic)
    this.#userChannels.remove(channel)
    // If the database is unreachable now, the channel's presence expires later.
    this.hub.close(channel).catch(() => {})
  }
}

function tooManyJoins(rate: number): string {
  return `Too many joins: at most ${rate} a second. Try again in a second`
}
