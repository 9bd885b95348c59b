import { TokenBuckets } from './token-bucket.ts'
import type { Channel } from './channel.ts'
import { limits } from './limits.ts'

/** Limits the messages that clients send to each other: their number, their size, and their bytes in the change log. */
export class MessageLimits {
  readonly #broadcasts = new TokenBuckets(limits.broadcasts)
  readonly #presences = new TokenBuckets(limits.presences)
  readonly #storedBytesOfUser = new TokenBuckets(limits.storedBytesOfUser)
  readonly #storedBytesOfTopic = new TokenBuckets(limits.storedBytesOfTopic)

  /** Counts a broadcast. Returns null if the limits allow it, otherwise the reason of the refusal. */
  countBroadcast(channel: Channel, message: unknown): string | null {
    const bytes = Buffer.byteLength(JSON.stringify(message))
    const { broadcastBytes, broadcasts } = limits
    if (bytes > broadcastBytes) return `A broadcast has at most ${broadcastBytes} bytes; this one has ${bytes}`
    if (!this.#broadcasts.take(userOf(channel)))
      return `Too many broadcasts: at most ${broadcasts.rate} a second. Try again in a second`
    return this.#countStored(channel, bytes)
  }

  /** Counts a presence. Returns null if the limits allow it, otherwise the reason of the refusal. */
  countPresence(channel: Channel, meta: unknown): string | null {
    const bytes = Buffer.byteLength(JSON.stringify(meta))
    const { presenceBytes, presences } = limits
    if (bytes > presenceBytes) return `A presence has at most ${presenceBytes} bytes; this one has ${bytes}`
    if (!this.#presences.take(userOf(channel)))
      return `Too many presences: at most ${presences.rate} a second. Try again in a second`
    return this.#countStored(channel, bytes)
  }

  /** Deletes the token buckets that are full again. */
  sweep(): void {
    for (const buckets of [this.#broadcasts, this.#presences, this.#storedBytesOfUser, this.#storedBytesOfTopic])
      buckets.sweep()
  }

  /**
   * Counts bytes that are stored in the change log. Returns null if the limits allow them, otherwise the reason of the
   * refusal.
   */
  #countStored(channel: Channel, bytes: number): string | null {
    if (!this.#storedBytesOfUser.take(userOf(channel), bytes))
      return `Too many bytes sent: at most ${limits.storedBytesOfUser.burst} bytes of one account in two minutes. Try again later`
    if (!this.#storedBytesOfTopic.take(channel.name, bytes))
      return `Too many bytes sent: at most ${limits.storedBytesOfTopic.burst} bytes in one topic in two minutes. Try again later`
    return null
  }
}

function userOf({ caller }: Channel): string {
  return caller.sub ?? caller.role
}
