import { Budgets } from './budget.ts'
import type { Channel } from './channel.ts'
import { limits } from './limits.ts'

/** Limits on messages between clients: rate, size, and bytes in the log. */
export class MessageLimits {
  readonly #broadcasts = new Budgets(limits.broadcasts)
  readonly #presences = new Budgets(limits.presences)
  readonly #storedOfUser = new Budgets(limits.storedOfUser)
  readonly #storedOfTopic = new Budgets(limits.storedOfTopic)

  /** The reason why this broadcast is refused; null if it is accepted, and then it is counted. */
  refuseBroadcast(channel: Channel, message: unknown): string | null {
    const bytes = Buffer.byteLength(JSON.stringify(message))
    const { broadcastBytes, broadcasts } = limits
    if (bytes > broadcastBytes) return `A broadcast has at most ${broadcastBytes} bytes; this one has ${bytes}`
    if (!this.#broadcasts.take(userOf(channel)))
      return `Too many broadcasts: at most ${broadcasts.rate} a second. Try again in a second`
    return this.#storageReason(channel, bytes)
  }

  /** The same for a presence. */
  refusePresence(channel: Channel, meta: unknown): string | null {
    const bytes = Buffer.byteLength(JSON.stringify(meta))
    const { presenceBytes, presences } = limits
    if (bytes > presenceBytes) return `A presence has at most ${presenceBytes} bytes; this one has ${bytes}`
    if (!this.#presences.take(userOf(channel)))
      return `Too many presences: at most ${presences.rate} a second. Try again in a second`
    return this.#storageReason(channel, bytes)
  }

  sweep(): void {
    for (const budgets of [this.#broadcasts, this.#presences, this.#storedOfUser, this.#storedOfTopic]) budgets.sweep()
  }

  #storageReason(channel: Channel, bytes: number): string | null {
    if (!this.#storedOfUser.take(userOf(channel), bytes))
      return `Too many bytes sent: at most ${limits.storedOfUser.burst} bytes of one account in two minutes. Try again later`
    if (!this.#storedOfTopic.take(channel.name, bytes))
      return `Too many bytes sent: at most ${limits.storedOfTopic.burst} bytes in one topic in two minutes. Try again later`
    return null
  }
}

function userOf({ listener }: Channel): string {
  return listener.sub ?? listener.role
}
