import { appendToTopic } from './change-log.ts'
import type { Channel } from './channel.ts'
import { type Frame, isObject } from './frames.ts'
import type { Hub } from './hub.ts'
import { isExpired } from './listener-token.ts'
import { TalkLimits } from './talk-limits.ts'

/** What people say to each other in their topics. */
export class Talk {
  readonly #limits = new TalkLimits()

  constructor(private readonly hub: Hub) {}

  /** Forgets who has said nothing for long. */
  sweep(): void {
    this.#limits.sweep()
  }

  async broadcast(channel: Channel, frame: Frame): Promise<void> {
    const { payload } = frame
    const refuse = (reason: string) => channel.socket.reply(frame, 'error', { reason })
    const event = isObject(payload) ? payload['event'] : undefined
    if (typeof event !== 'string') return refuse('A broadcast names its event')
    if (!(await this.#mayTalk(channel))) {
      if (channel.broadcast.ack) refuse('Not allowed in this topic')
      return
    }
    const said = { from: channel.socket.id, event, payload: isObject(payload) ? (payload['payload'] ?? {}) : {} }
    const tooMuch = this.#limits.refuseBroadcast(channel, said)
    if (tooMuch !== null) return refuse(tooMuch)
    await appendToTopic(this.hub.owner, 'B', channel.name, said)
    this.hub.feed.nudge()
    if (channel.broadcast.ack) channel.socket.reply(frame, 'ok', {})
  }

  async presence(channel: Channel, frame: Frame): Promise<void> {
    const { payload } = frame
    const refuse = (reason: string) => channel.socket.reply(frame, 'error', { reason })
    const said = isObject(payload) ? payload['event'] : undefined
    const verb = typeof said === 'string' ? said.toLowerCase() : ''
    if (!(await this.#mayTalk(channel))) return refuse('Not allowed in this topic')
    const meta = isObject(payload) && isObject(payload['payload']) ? payload['payload'] : {}
    const tooMuch = this.#limits.refusePresence(channel, meta)
    if (tooMuch !== null) return refuse(tooMuch)
    if (verb === 'track') await this.hub.presences.track(channel, meta)
    else if (verb === 'untrack') await this.hub.presences.untrack(channel)
    else return refuse('track or untrack')
    this.hub.feed.nudge()
    channel.socket.reply(frame, 'ok', {})
  }

  /** People talk in private topics only: there the policies know who they are. */
  async #mayTalk(channel: Channel): Promise<boolean> {
    if (!channel.isPrivate || isExpired(channel.listener)) return false
    const mayUse = await this.hub.rights.mayUse(channel.listener, channel.name)
    // It may have ended meanwhile: nobody would ever take back what it says of itself.
    return mayUse && channel.isOpen
  }
}
