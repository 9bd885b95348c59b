import { Budgets } from './budget.ts'
import type { Channel } from './channel.ts'
import { limits } from './limits.ts'

/** What people may say to each other: how often, how long, and how much of it waits in the log. */
export class TalkLimits {
  readonly #broadcasts = new Budgets(limits.broadcasts)
  readonly #presences = new Budgets(limits.presences)
  readonly #storedOfUser = new Budgets(limits.storedOfUser)
  readonly #storedOfTopic = new Budgets(limits.storedOfTopic)

  /** Why this may not be said now; null where it may, and then it counts. */
  refuseBroadcast(channel: Channel, said: unknown): string | null {
    const bytes = Buffer.byteLength(JSON.stringify(said))
    const { broadcastBytes, broadcasts } = limits
    if (bytes > broadcastBytes) return `A broadcast has at most ${broadcastBytes} bytes; this one has ${bytes}`
    if (!this.#broadcasts.take(userOf(channel)))
      return `Too many broadcasts: at most ${broadcasts.rate} a second. Try again in a second`
    return this.#refuseStored(channel, bytes)
  }

  /** The same for what somebody tells of themselves. */
  refusePresence(channel: Channel, meta: unknown): string | null {
    const bytes = Buffer.byteLength(JSON.stringify(meta))
    const { presenceBytes, presences } = limits
    if (bytes > presenceBytes) return `A presence has at most ${presenceBytes} bytes; this one has ${bytes}`
    if (!this.#presences.take(userOf(channel)))
      return `Too many presences: at most ${presences.rate} a second. Try again in a second`
    return this.#refuseStored(channel, bytes)
  }

  sweep(): void {
    for (const budgets of [this.#broadcasts, this.#presences, this.#storedOfUser, this.#storedOfTopic]) budgets.sweep()
  }

  #refuseStored(channel: Channel, bytes: number): string | null {
    if (!this.#storedOfUser.take(userOf(channel), bytes))
      return `Too much said: at most ${limits.storedOfUser.burst} bytes of one account in two minutes. Try again later`
    if (!this.#storedOfTopic.take(channel.name, bytes))
      return `Too much said: at most ${limits.storedOfTopic.burst} bytes in one topic in two minutes. Try again later`
    return null
  }
}

function userOf({ listener }: Channel): string {
  return listener.sub ?? listener.role
}
