import { once } from 'node:events'
import WebSocket from 'ws'

/** A frame of the server: `[join_ref, ref, topic, event, payload]`. */
export type Frame = [string | null, string | null, string, string, { status?: string; response?: unknown } & object]

/** A WebSocket that can send any frame and records all received frames. */
export interface RawSocket {
  frames: Frame[]
  /** Resolves with code and reason when the server has closed the socket. */
  closed: Promise<{ code: number; reason: string }>
  isOpen(): boolean
  send(...frame: unknown[]): void
  /** Joins `realtime:topic`. Resolves like `ask`. */
  join(topic: string, config?: object, token?: string): Promise<string>
  /** Sends a frame. Resolves with 'ok', the reason of the refusal, or 'closed: …' if the socket closes before the reply. */
  ask(joinRef: string | null, topic: string, event: string, payload: object): Promise<string>
  close(): void
}

/**
 * Opens a socket. `address`: the client's network address, for a server that trusts a proxy. Rejects with status and message if the server
 * refuses.
 */
export async function openRawSocket(
  { url, publishableKey }: { url: string; publishableKey: string },
  address?: string,
): Promise<RawSocket> {
  const socketUrl = `${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${publishableKey}&vsn=2.0.0`
  const socket = new WebSocket(socketUrl, address === undefined ? {} : { headers: { 'x-forwarded-for': address } })
  const frames: Frame[] = []
  const resolveByRef = new Map<string, (answer: string) => void>()
  let lastRef = 0
  socket.on('message', (data) => {
    const frame = JSON.parse((data as Buffer).toString()) as Frame
    frames.push(frame)
    const [, ref, , event, { status, response }] = frame
    if (event !== 'phx_reply' || ref === null) return
    resolveByRef.get(ref)?.(status === 'ok' ? 'ok' : String((response as { reason?: string }).reason))
  })
  const closed = once(socket, 'close').then(([code, reason]) => ({ code: code as number, reason: String(reason) }))
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('unexpected-response', (_, response) => {
      response.setEncoding('utf8')
      response.once('data', (body: string) => reject(new Error(`${response.statusCode} ${body}`)))
    })
    socket.once('error', reject)
  })
  socket.on('error', () => {})
  const ask = (joinRef: string | null, topic: string, event: string, payload: object) =>
    new Promise<string>((resolve) => {
      const ref = String(++lastRef)
      resolveByRef.set(ref, resolve)
      void closed.then(({ reason }) => resolve(`closed: ${reason}`))
      socket.send(JSON.stringify([joinRef ?? ref, ref, topic, event, payload]))
    })
  return {
    frames,
    closed,
    isOpen: () => socket.readyState === WebSocket.OPEN,
    send: (...frame) => socket.send(JSON.stringify(frame)),
    join: (topic, config = {}, token) => ask(null, `realtime:${topic}`, 'phx_join', { config, access_token: token }),
    ask,
    close: () => socket.terminate(),
  }
}

/** Returns the configuration of a join with this number of bindings. Each has a different filter. */
export function bindings(count: number): { postgres_changes: object[] } {
  const bindingOf = (i: number) => ({ event: '*', schema: 'public', table: 'deals', filter: `name=eq.${i}` })
  return { postgres_changes: Array.from({ length: count }, (_, i) => bindingOf(i)) }
}
