import type { SocketCaller } from './caller-token.ts'
import type { Socket } from './socket.ts'
import type { Binding, Subscription } from './subscription.ts'

/** A topic that a client has joined on one socket. */
export interface Channel {
  socket: Socket
  /** The topic in the protocol: `realtime:<name>`. */
  topic: string
  /** The topic without the prefix `realtime:`. Policies get this name. */
  name: string
  joinRef: string | null
  caller: SocketCaller
  isPrivate: boolean
  /** The bindings of the join, each with the id that the reply contains. */
  bindings: readonly (Binding & { id: number })[]
  /** The subscriptions to which the bindings were resolved. Empty for an anonymous caller. */
  subscriptions: readonly Subscription[]
  broadcast: { ack: boolean; self: boolean }
  presence: { key: string; enabled: boolean }
  /** The reference of the presence that the channel tracks. Null if the channel tracks no presence. */
  presenceRef: string | null
  isOpen: boolean
  /** The id of the user to whose number of channels this channel is added (`UserChannels`). Null if it is added for no user. */
  countedFor: string | null
  /**
   * Resolves when all earlier messages of the channel are sent. Each message waits for this promise, so that messages are
   * sent in order.
   */
  delivery: Promise<void>
}

export const topicPrefix = 'realtime:'
