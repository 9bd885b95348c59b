import type { Listener } from './listener-token.ts'
import type { Socket } from './socket.ts'
import type { Subscription } from './subscription.ts'

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
  subscriptions: readonly Subscription[]
  broadcast: { ack: boolean; self: boolean }
  presence: { key: string; enabled: boolean }
  /** The reference of what this channel tracks; null while it tracks nothing. */
  presenceRef: string | null
  isOpen: boolean
}

export const TOPIC_PREFIX = 'realtime:'
