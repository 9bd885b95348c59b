import { TokenBuckets } from './token-bucket.ts'
import type { Channel } from './channel.ts'
import { limits } from './limits.ts'

/** Limits messages between clients by number, size, and bytes in the log. */
export class MessageLimits {
  readonly #broadcasts = new TokenBuckets(limits.broadcasts)
  readonly #presences = new TokenBuckets(limits.presences)
  readonly #storedBytesOfUser = new TokenBuckets(limits.storedBytesOfUser)
  readonly #storedBytesOfTopic = new TokenBuckets(limits.storedBytesOfTopic)

  /** Counts a broadcast. Returns null, or the reason if a limit refuses it. */
  countBroadcast(channel: Channel, message: unknown): string | null {
    const bytes = Buffer.byteLength(JSON.stringify(message))
    const { broadcastBytes, broadcasts } = limits
    if (bytes > broadcastBytes) return `A broadcast has at most ${broadcastBytes} bytes; this one has ${bytes}`
    if (!this.#broadcasts.take(userOf(channel)))
      return `Too many broadcasts: at most ${broadcasts.rate} a second. Try again in a second`
    return this.#countStored(channel, bytes)
  }

  /** Counts a presence, like `countBroadcast`. */
  countPresence(channel: Channel, meta: unknown): string | null {
    const bytes = Buffer.byteLength(JSON.stringify(meta))
    const { presenceBytes, presences } = limits
    if (bytes > presenceBytes) return `A presence has at most ${presenceBytes} bytes; this one has ${bytes}`
    if (!this.#presences.take(userOf(channel)))
      return `Too many presences: at most ${presences.rate} a second. Try again in a second`
    return this.#countStored(channel, bytes)
  }

  /** Deletes token buckets that are not in use. */
  sweep(): void {
    for (const buckets of [this.#broadcasts, this.#presences, this.#storedBytesOfUser, this.#storedBytesOfTopic])
      buckets.sweep()
  }

  /** Counts bytes in the log. Returns null, or the reason if a limit is reached. */
  #countStored(channel: Channel, bytes: number): string | null {
    if (!this.#storedBytesOfUser.take(userOf(channel), bytes))
      return `Too many bytes sent: at most ${limits.storedBytesOfUser.burst} bytes of one account in two minutes. Try again later`
    if (!this.#storedBytesOfTopic.take(channel.name, bytes))
      return `Too many bytes sent: at most ${limits.storedBytesOfTopic.burst} bytes in one topic in two minutes. Try again later`
    return null
  }
}

function userOf({ listener }: Channel): string {
  return listener.sub ?? listener.role
}
