import WebSocket from 'ws'

/**
 * A WebSocket that subscribes to a brand's deals and records the events. It replaces the official client, because five
 * hundred official clients would not fit in one process.
 */
export interface LiveSocket {
  brandId: string
  /** For each received event: the deal's name and brand, and the time in ms from `sentAt(name)` until the event arrived. */
  received: { name: string; brandId: string; delay: number }[]
  close(): void
}

interface Change {
  data: { record?: { name: string; brand_id: string } }
}

/**
 * Opens a socket for a signed-in user. Resolves when it is subscribed. `sentAt` returns the time when a name was written
 * (`performance.now()`).
 */
export function openLiveSocket(
  server: { url: string; publishableKey: string },
  { token, brandId, sentAt }: { token: string; brandId: string; sentAt: (name: string) => number },
): Promise<LiveSocket> {
  const url = `${server.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${server.publishableKey}&vsn=2.0.0`
  const socket = new WebSocket(url, { perMessageDeflate: false })
  const received: LiveSocket['received'] = []
  const topic = `realtime:${brandId}`
  const filter = `brand_id=eq.${brandId}`
  const postgres_changes = [{ event: '*', schema: 'public', table: 'deals', filter }]
  const heartbeat = setInterval(() => socket.send('[null,"h","phoenix","heartbeat",{}]'), 20_000)
  return new Promise((resolve, reject) => {
    socket.on('open', () => {
      socket.send(JSON.stringify(['1', '1', topic, 'phx_join', { config: { postgres_changes }, access_token: token }]))
    })
    socket.on('message', (data) => {
      const [, , , event, payload] = JSON.parse((data as Buffer).toString()) as [
        unknown,
        unknown,
        string,
        string,
        unknown,
      ]
      if (event === 'postgres_changes') {
        const record = (payload as Change).data.record
        if (record)
          received.push({ name: record.name, brandId: record.brand_id, delay: performance.now() - sentAt(record.name) })
      } else if (event === 'system') {
        const close = () => {
          clearInterval(heartbeat)
          socket.terminate()
        }
        if ((payload as { status: string }).status === 'ok') resolve({ brandId, received, close })
        else reject(new Error(JSON.stringify(payload)))
      }
    })
    socket.on('error', reject)
    socket.on('close', () => clearInterval(heartbeat))
  })
}
