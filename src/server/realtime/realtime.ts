import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { WebSocketServer } from 'ws'
import type { Database } from '#server/db/database.ts'
import type { Metrics } from '#server/http/metrics.ts'
import { ChannelRequests } from './channel-requests.ts'
import type { Frame, ProtocolVersion } from './frames.ts'
import { Hub } from './hub.ts'
import { networkOf } from '#server/http/network.ts'
import { limits } from './limits.ts'
import { type CallerKeys, callerOfKey } from './caller-token.ts'
import { refuseOverLimit } from './refuse-over-limit.ts'
import { Socket } from './socket.ts'
import { SocketRegister } from './socket-register.ts'
import { roleOfKey } from './socket-key.ts'
import { UnreadBytes } from './unread-bytes.ts'

export interface Realtime {
  /** Creates the triggers that write the change log. Call it before the first request is served. */
  prepare(): Promise<void>
  /** Accepts or refuses a WebSocket request to `/realtime/v1/websocket`. */
  upgrade(message: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Delivers new changes at once. Call it after a write of this server. */
  readNow(): void
  /** Closes all sockets and refuses new ones, stops the change feed, and deletes the presences of this process. */
  close(): Promise<void>
}

export interface RealtimeOptions {
  database: Database
  keys: CallerKeys
  /** Returns the client's IP address. A header of a trusted proxy takes precedence over the address of the connection. */
  clientIpOf: (message: IncomingMessage) => string
  log: Logger
  addGauge: Metrics['add']
}

export const socketPath = '/realtime/v1/websocket'

/** Maximum size of a frame. It is enough for a token and a few bindings, or for a short message. */
const maxFrameBytes = 256 * 1024

/**
 * Creates the server of live changes. It uses the protocol of Supabase Realtime, with one WebSocket per client
 * (docs/supabase-protocol.md, section 4).
 */
export function createRealtime({ database, keys, clientIpOf, log, addGauge }: RealtimeOptions): Realtime {
  const hub = new Hub(database, log)
  const register = new SocketRegister()
  const unreadBytes = new UnreadBytes()
  const channelRequests = new ChannelRequests(hub, keys, register)
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
  const expiryTimer = setInterval(() => {
    channelRequests.closeExpired()
    const seconds = limits.anonymousIdleMs / 1000
    for (const socket of register.findIdle((candidate) => channelRequests.hasChannels(candidate)))
      socket.close(1008, `Join a channel within ${seconds} seconds, or sign in`)
  }, 1000)
  expiryTimer.unref()
  let isClosing = false

  const handler = {
    onFrame: (socket: Socket, frame: Frame) => channelRequests.handle(socket, frame),
    onClose(socket: Socket) {
      channelRequests.closeChannelsOf(socket)
      register.remove(socket)
    },
    onError: (error: unknown) => log.warn({ err: error }, 'a message of a live connection could not be handled'),
  }

  return {
    async prepare() {
      await hub.tables()
    },
    upgrade(message, stream, head) {
      stream.on('error', () => stream.destroy())
      if (isClosing) return refuseWithStatus(stream, '503 Service Unavailable')
      const url = new URL(message.url ?? '/', 'http://localhost')
      const role = roleOfKey(url.searchParams.get('apikey') ?? message.headers.apikey, keys)
      if (role === null) return refuseWithStatus(stream, '401 Unauthorized')
      const network = networkOf(clientIpOf(message))
      const isService = role === 'service_role'
      const limitRefusal = register.refusalReason(network, isService)
      if (limitRefusal !== null) return refuseOverLimit(stream, limitRefusal)
      const version: ProtocolVersion = url.searchParams.get('vsn') === '1.0.0' ? '1.0.0' : '2.0.0'
      server.handleUpgrade(message, stream, head, (ws) => {
        register.add(new Socket(randomUUID(), callerOfKey(role), version, ws, handler, unreadBytes), network, isService)
      })
    },
    readNow: () => hub.feed.readNow(),
    async close() {
      // From now on `upgrade` refuses new sockets. Nothing would close them, but the listener waits until all connections are closed.
      isClosing = true
      clearInterval(expiryTimer)
      for (const socket of register.sockets()) socket.close(1001, 'The server stops')
      await hub.end()
    },
  }
}

/** Refuses a WebSocket request with this HTTP status, and closes the connection. */
export function refuseWithStatus(stream: Duplex, status: string): void {
  stream.on('error', () => stream.destroy())
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => stream.destroy())
}
