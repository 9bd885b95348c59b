import type { Channel } from './channel.ts'
import { limits } from './limits.ts'

/**
 * Stores the open channels of each user on all sockets. Limits the number of a user's channels, and the number of their
 * bindings (elements of `postgres_changes`).
 */
export class UserChannels {
  readonly #channels = new Map<string, Set<Channel>>()

  /**
   * Returns the reason why this user may not open a further channel with this many bindings. Returns null if the user may.
   */
  refusalReason(user: string, bindingCount: number): string | null {
    const userChannels = this.#channels.get(user)
    if (!userChannels) return null
    if (userChannels.size >= limits.channelsOfUser)
      return `Too many channels of this account: at most ${limits.channelsOfUser}. Leave some of them`
    let sum = bindingCount
    for (const channel of userChannels) sum += channel.bindings.length
    return sum > limits.bindingsOfUser
      ? `Too many bindings of this account: at most ${limits.bindingsOfUser}. Leave some of its channels`
      : null
  }

  /** Counts the channel for its caller's user. */
  add(channel: Channel): void {
    this.remove(channel)
    const { sub } = channel.caller
    if (sub === null) return
    const userChannels = this.#channels.get(sub)
    if (userChannels) userChannels.add(channel)
    else this.#channels.set(sub, new Set([channel]))
    channel.countedFor = sub
  }

  remove(channel: Channel): void {
    if (channel.countedFor === null) return
    const userChannels = this.#channels.get(channel.countedFor)
    userChannels?.delete(channel)
    if (userChannels?.size === 0) this.#channels.delete(channel.countedFor)
    channel.countedFor = null
  }
}
