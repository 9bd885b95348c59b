import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { WebSocketServer } from 'ws'
import type { Database } from '#server/db/database.ts'
import type { Metrics } from '#server/http/metrics.ts'
import { ChannelVerbs } from './channel-verbs.ts'
import type { Frame, Version } from './frames.ts'
import { Hub } from './hub.ts'
import { networkOf } from '#server/http/network.ts'
import { limits } from './limits.ts'
import { type ListenerKeys, listenerOfKey } from './listener-token.ts'
import { refuseSocket } from './refuse-socket.ts'
import { Socket } from './socket.ts'
import { SocketRegister } from './socket-register.ts'
import { keyRole } from './socket-key.ts'
import { Unread } from './unread.ts'

export interface Realtime {
  /** Creates the log triggers, before the first request is served. */
  prepare(): Promise<void>
  /** Accepts a connection that asks for a WebSocket at `/realtime/v1/websocket`, or refuses it. */
  upgrade(message: IncomingMessage, socket: Duplex, head: Buffer): void
  /** This server has written: delivers the changes at once. */
  readNow(): void
  /** Closes every socket. */
  close(): Promise<void>
}

export interface RealtimeOptions {
  database: Database
  keys: ListenerKeys
  /** The caller's address, from trusted proxies if there are any. */
  addressOf: (message: IncomingMessage) => string
  log: Logger
  addGauge: Metrics['add']
}

export const socketPath = '/realtime/v1/websocket'

/** A frame contains a token and a few bindings, or a short message. */
const maxFrameBytes = 256 * 1024

/** Supabase Realtime's protocol, with one WebSocket per client (docs/supabase-protocol.md, section 4). */
export function createRealtime({ database, keys, addressOf, log, addGauge }: RealtimeOptions): Realtime {
  const hub = new Hub(database, log)
  const register = new SocketRegister()
  const unread = new Unread()
  const verbs = new ChannelVerbs(hub, keys, register)
  addGauge({
    name: 'banyan_live_connections',
    help: 'Open live connections.',
    label: 'signed_in',
    read: () => register.counts(),
  })
  const server = new WebSocketServer({ noServer: true, maxPayload: maxFrameBytes, perMessageDeflate: false })
  hub.onGap = () => {
    for (const socket of register.sockets()) socket.close(1012, 'Changes may have been missed: join again')
  }
  const expiry = setInterval(() => {
    verbs.closeExpired()
    const seconds = limits.anonymousIdleMs / 1000
    for (const socket of register.idle((one) => verbs.hasChannels(one)))
      socket.close(1008, `Join a channel within ${seconds} seconds, or sign in`)
  }, 1000)
  expiry.unref()

  const handler = {
    onFrame: (socket: Socket, frame: Frame) => verbs.handle(socket, frame),
    onClose(socket: Socket) {
      verbs.closeChannelsOf(socket)
      register.leave(socket)
    },
    onError: (error: unknown) => log.warn({ err: error }, 'a realtime message failed'),
  }

  return {
    async prepare() {
      await hub.tables()
    },
    upgrade(message, stream, head) {
      stream.on('error', () => stream.destroy())
      const url = new URL(message.url ?? '/', 'http://localhost')
      const role = keyRole(url.searchParams.get('apikey') ?? message.headers.apikey, keys)
      if (role === null) return refuse(stream, '401 Unauthorized')
      const from = networkOf(addressOf(message))
      const isService = role === 'service_role'
      const tooMany = register.refusal(from, isService)
      if (tooMany !== null) return refuseSocket(stream, tooMany)
      const version: Version = url.searchParams.get('vsn') === '1.0.0' ? '1.0.0' : '2.0.0'
      server.handleUpgrade(message, stream, head, (ws) => {
        register.enter(new Socket(randomUUID(), listenerOfKey(role), version, ws, handler, unread), from, isService)
      })
    },
    readNow: () => hub.feed.readNow(),
    async close() {
      clearInterval(expiry)
      for (const socket of register.sockets()) socket.close(1001, 'The server stops')
      await hub.end()
    },
  }
}

/** Refuses and closes a connection that is no WebSocket of this server. */
export function refuse(stream: Duplex, status: string): void {
  stream.on('error', () => stream.destroy())
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => stream.destroy())
}
