import { appendToTopic } from './change-log.ts'
import type { Channel } from './channel.ts'
import { type Frame, isObject } from './frames.ts'
import type { Hub } from './hub.ts'
import { isExpired } from './caller-token.ts'
import { MessageLimits } from './message-limits.ts'

/** Handles the broadcasts and presences that clients send to a topic. */
export class TopicMessages {
  readonly #limits = new MessageLimits()

  constructor(private readonly hub: Hub) {}

  /** Deletes the token buckets that are full again. */
  sweep(): void {
    this.#limits.sweep()
  }

  async broadcast(channel: Channel, frame: Frame): Promise<void> {
    const { payload } = frame
    const refuse = (reason: string) => channel.socket.reply(frame, 'error', { reason })
    const event = isObject(payload) ? payload['event'] : undefined
    if (typeof event !== 'string') return refuse('A broadcast needs the name of its event')
    if (!(await this.#mayUseTopic(channel))) {
      if (channel.broadcast.ack) refuse('Not allowed in this topic')
      return
    }
    const message = { from: channel.socket.id, event, payload: isObject(payload) ? (payload['payload'] ?? {}) : {} }
    const limitRefusal = this.#limits.countBroadcast(channel, message)
    if (limitRefusal !== null) return refuse(limitRefusal)
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
    const limitRefusal = this.#limits.countPresence(channel, meta)
    if (limitRefusal !== null) return refuse(limitRefusal)
    if (verb === 'track') await this.hub.presences.track(channel, meta)
    else if (verb === 'untrack') await this.hub.presences.untrack(channel)
    else return refuse('The event of a presence is track or untrack')
    this.hub.feed.readNow()
    channel.socket.reply(frame, 'ok', {})
  }

  /**
   * Whether the client may send messages to the channel's topic. Only private topics accept messages, because only their
   * policies check the user.
   */
  async #mayUseTopic(channel: Channel): Promise<boolean> {
    if (!channel.isPrivate || isExpired(channel.caller)) return false
    const mayRead = await this.hub.rights.mayRead(channel.caller, channel.name)
    // A channel that has closed during the check must not track a presence, because nothing would remove the presence.
    return mayRead && channel.isOpen
  }
}
