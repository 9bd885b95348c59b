import type { Listener } from './listener-token.ts'
import type { Socket } from './socket.ts'
import type { Binding, Subscription } from './subscription.ts'

/** A topic that a client has joined on one socket. */
export interface Channel {
  socket: Socket
  /** The topic in the protocol: `realtime:<name>`. */
  topic: string
  /** The topic without its prefix. Policies get this name. */
  name: string
  joinRef: string | null
  listener: Listener
  isPrivate: boolean
  /** The bindings of the join, with the ids that the reply contains. */
  bindings: readonly (Binding & { id: number })[]
  /** The resolved bindings. Empty while nobody is signed in. */
  subscriptions: readonly Subscription[]
  broadcast: { ack: boolean; self: boolean }
  presence: { key: string; enabled: boolean }
  /** The reference of the channel's presence. Null if the channel tracks none. */
  presenceRef: string | null
  isOpen: boolean
  /** The user whose limit of channels counts this one. Null: no user. */
  countedFor: string | null
  /** Resolves when all earlier messages are sent. Each message waits for it, so that messages are sent in order. */
  delivery: Promise<void>
}

export const topicPrefix = 'realtime:'
