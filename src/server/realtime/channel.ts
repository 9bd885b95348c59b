import type { Listener } from './listener-token.ts'
import type { Socket } from './socket.ts'
import type { Binding, Subscription } from './subscription.ts'

/** One topic on one socket. */
export interface Channel {
  socket: Socket
  /** The topic in the protocol: `realtime:<name>`. */
  topic: string
  /** The topic without its prefix, as policies and other sockets know it. */
  name: string
  joinRef: string | null
  listener: Listener
  isPrivate: boolean
  /** The bindings of the join, with the ids of its answer. */
  bindings: readonly (Binding & { id: number })[]
  /** The active ones: none while nobody is signed in. */
  subscriptions: readonly Subscription[]
  broadcast: { ack: boolean; self: boolean }
  presence: { key: string; enabled: boolean }
  /** The reference of the channel's presence; null without one. */
  presenceRef: string | null
  isOpen: boolean
  /** The user whose number of channels includes this one. */
  countedFor: string | null
  /** Resolves when all earlier messages are sent: they are sent in order. */
  delivery: Promise<void>
}

export const topicPrefix = 'realtime:'
