import type { Listener } from './listener-token.ts'
import type { Socket } from './socket.ts'
import type { Binding, Subscription } from './subscription.ts'

/** One topic of one socket. */
export interface Channel {
  socket: Socket
  /** As on the wire: `realtime:<name>`. */
  topic: string
  /** `<name>`: what policies and other sockets know it by. */
  name: string
  joinRef: string | null
  listener: Listener
  isPrivate: boolean
  /** What the join asked for, with the ids of its answer. */
  bindings: readonly (Binding & { id: number })[]
  /** Those that are heard now: none while nobody is signed in. */
  subscriptions: readonly Subscription[]
  broadcast: { ack: boolean; self: boolean }
  presence: { key: string; enabled: boolean }
  /** The reference of what this channel tracks; null while it tracks nothing. */
  presenceRef: string | null
  isOpen: boolean
  /** The user whose channels this one counts among. */
  countedFor: string | null
  /** What is told to it, one thing after the other. */
  telling: Promise<void>
}

export const topicPrefix = 'realtime:'
