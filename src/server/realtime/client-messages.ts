import { appendToTopic } from './change-log.ts'
import type { Channel } from './channel.ts'
import { type Frame, isObject } from './frames.ts'
import type { Hub } from './hub.ts'
import { isExpired } from './listener-token.ts'
import { MessageLimits } from './message-limits.ts'

/** Broadcasts and presence of clients. */
export class ClientMessages {
  readonly #limits = new MessageLimits()

  constructor(private readonly hub: Hub) {}

  /** Removes budgets that are not in use. */
  sweep(): void {
    this.#limits.sweep()
  }

  async broadcast(channel: Channel, frame: Frame): Promise<void> {
    const { payload } = frame
    const refuse = (reason: string) => channel.socket.reply(frame, 'error', { reason })
    const event = isObject(payload) ? payload['event'] : undefined
    if (typeof event !== 'string') return refuse('A broadcast names its event')
    if (!(await this.#mayUseTopic(channel))) {
      if (channel.broadcast.ack) refuse('Not allowed in this topic')
      return
    }
    const message = { from: channel.socket.id, event, payload: isObject(payload) ? (payload['payload'] ?? {}) : {} }
    const tooMuch = this.#limits.refuseBroadcast(channel, message)
    if (tooMuch !== null) return refuse(tooMuch)
    await appendToTopic(this.hub.owner, 'B', channel.name, message)
    this.hub.feed.readNow()
    if (channel.broadcast.ack) channel.socket.reply(frame, 'ok', {})
  }

  async presence(channel: Channel, frame: Frame): Promise<void> {
    const { payload } = frame
    const refuse = (reason: string) => channel.socket.reply(frame, 'error', { reason })
    const event = isObject(payload) ? payload['event'] : undefined
    const verb = typeof event === 'string' ? event.toLowerCase() : ''
    if (!(await this.#mayUseTopic(channel))) return refuse('Not allowed in this topic')
    const meta = isObject(payload) && isObject(payload['payload']) ? payload['payload'] : {}
    const tooMuch = this.#limits.refusePresence(channel, meta)
    if (tooMuch !== null) return refuse(tooMuch)
    if (verb === 'track') await this.hub.presences.track(channel, meta)
    else if (verb === 'untrack') await this.hub.presences.untrack(channel)
    else return refuse('track or untrack')
    this.hub.feed.readNow()
    channel.socket.reply(frame, 'ok', {})
  }

  /** Only private topics allow messages: there the policies know the users. */
  async #mayUseTopic(channel: Channel): Promise<boolean> {
    if (!channel.isPrivate || isExpired(channel.listener)) return false
    const mayUse = await this.hub.rights.mayUse(channel.listener, channel.name)
    // The channel may have closed meanwhile, and nothing would remove its presence.
    return mayUse && channel.isOpen
  }
}
