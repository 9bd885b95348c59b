import { randomUUID } from 'node:crypto'
import { type Channel, topicPrefix } from './channel.ts'
import { type Frame, isObject } from './frames.ts'
import type { SocketCaller } from './caller-token.ts'
import { limits } from './limits.ts'
import type { Socket } from './socket.ts'
import { type Binding, readBindings } from './subscription.ts'

/** The content of a `phx_join` message, with which a client joins a topic. */
export interface Join {
  channel: Channel
  bindings: Binding[]
  token: unknown
}

const maxKeyLength = 200

/**
 * Parses a join (docs/supabase-protocol.md, section 4). `caller` is the channel's caller until its token is read. If the join
 * is refused, returns the reason as text.
 */
export function readJoin(socket: Socket, frame: Frame, caller: SocketCaller): Join | string {
  const { topic, payload } = frame
  if (!topic.startsWith(topicPrefix) || topic.length === topicPrefix.length) return 'Topics start with realtime:'
  if (topic.length > limits.topicLength) return `The topic is too long: at most ${limits.topicLength} characters`
  const config = isObject(payload) && isObject(payload['config']) ? payload['config'] : {}
  const bindings = readBindings(config)
  if (typeof bindings === 'string') return bindings
  const broadcast = isObject(config['broadcast']) ? config['broadcast'] : {}
  const presence = isObject(config['presence']) ? config['presence'] : {}
  const key = presence['key']
  if (typeof key === 'string' && key.length > maxKeyLength) return 'The presence key is too long'
  const channel: Channel = {
    socket,
    topic,
    name: topic.slice(topicPrefix.length),
    joinRef: frame.joinRef,
    caller,
    isPrivate: config['private'] === true,
    bindings: [],
    subscriptions: [],
    broadcast: { ack: broadcast['ack'] === true, self: broadcast['self'] === true },
    presence: {
      key: typeof key === 'string' && key !== '' ? key : randomUUID(),
      enabled: presence['enabled'] === true,
    },
    presenceRef: null,
    isOpen: true,
    countedFor: null,
    delivery: Promise.resolve(),
  }
  return { channel, bindings, token: isObject(payload) ? payload['access_token'] : undefined }
}
