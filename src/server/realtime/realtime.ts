import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { WebSocketServer } from 'ws'
import type { Database } from '#server/db/database.ts'
import { ChannelVerbs } from './channel-verbs.ts'
import type { Frame, Version } from './frames.ts'
import { Hub } from './hub.ts'
import { type ListenerKeys, listenerOfKey } from './listener-token.ts'
import { Socket } from './socket.ts'
import { keyRole } from './socket-key.ts'

export interface Realtime {
  /** Lays the log's triggers; before the first request is served. */
  prepare(): Promise<void>
  /** Takes over a connection that asks for a WebSocket at `/realtime/v1/websocket`, or refuses it. */
  upgrade(message: IncomingMessage, socket: Duplex, head: Buffer): void
  /** This server has just written: whoever listens hears of it at once. */
  nudge(): void
  /** Says good-bye to every socket. */
  close(): Promise<void>
}

export interface RealtimeOptions {
  database: Database
  keys: ListenerKeys
  log: Logger
}

export const SOCKET_PATH = '/realtime/v1/websocket'

/** A frame carries a token and a few bindings; what people say to each other is short. Bytes. */
const LARGEST_FRAME = 256 * 1024

/** Supabase Realtime's protocol over one WebSocket a client (wire facts, section 4). */
export function createRealtime({ database, keys, log }: RealtimeOptions): Realtime {
  const hub = new Hub(database, log)
  const verbs = new ChannelVerbs(hub, keys)
  const sockets = new Set<Socket>()
  const server = new WebSocketServer({ noServer: true, maxPayload: LARGEST_FRAME, perMessageDeflate: false })
  hub.onGap = () => {
    for (const socket of sockets) socket.close(1012, 'Changes may have been missed: join again')
  }
  const expiry = setInterval(() => verbs.closeExpired(), 1000)
  expiry.unref()

  const handler = {
    onFrame: (socket: Socket, frame: Frame) => verbs.handle(socket, frame),
    onClose(socket: Socket) {
      sockets.delete(socket)
      verbs.forget(socket)
    },
    onError: (error: unknown) => log.warn({ err: error }, 'a realtime message failed'),
  }

  return {
    async prepare() {
      await hub.tables()
    },
    upgrade(message, stream, head) {
      const url = new URL(message.url ?? '/', 'http://localhost')
      const role = keyRole(url.searchParams.get('apikey') ?? message.headers.apikey, keys)
      if (role === null) return refuse(stream, '401 Unauthorized')
      const version: Version = url.searchParams.get('vsn') === '1.0.0' ? '1.0.0' : '2.0.0'
      server.handleUpgrade(message, stream, head, (ws) => {
        sockets.add(new Socket(randomUUID(), listenerOfKey(role), version, ws, handler))
      })
    },
    nudge: () => hub.feed.nudge(),
    async close() {
      clearInterval(expiry)
      for (const socket of sockets) socket.close(1001, 'The server stops')
      await hub.end()
    },
  }
}

/** Answers a connection that is no WebSocket of ours, and ends it. */
export function refuse(stream: Duplex, status: string): void {
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => stream.destroy())
}
