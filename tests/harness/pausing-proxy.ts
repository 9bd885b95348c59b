import { once } from 'node:events'
import { createServer, request } from 'node:http'

interface Pause {
  status: 429 | 503
  /** The value of the header `Retry-After` (seconds). */
  retryAfter: number
}

/**
 * A request to a path under `/rest/v1/`. `pause`: the refusal; null if the request was forwarded. `at`: time of its arrival (ms). `key`: its
 * Idempotency-Key.
 */
interface SeenRequest {
  at: number
  method: string
  path: string
  key: string | null
  pause: Pause | null
}

export interface PausingProxy {
  url: string
  seen: SeenRequest[]
  /** Returns the refusal of a request under `/rest/v1/`. Null to forward the request. */
  judge: (request: Omit<SeenRequest, 'pause'>) => Pause | null
  stop(): Promise<void>
}

/**
 * Starts a proxy in front of a test server. If `judge` says so, it refuses a request like a busy server or a rate limit. It does not forward
 * live sockets.
 */
export async function startPausingProxy(target: { port: number }): Promise<PausingProxy> {
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url: path = '/', headers } = incoming
    if (path.startsWith('/rest/v1/')) {
      const seenRequest = { at: Date.now(), method, path, key: headers['idempotency-key']?.toString() ?? null }
      const pause = proxy.judge(seenRequest)
      proxy.seen.push({ ...seenRequest, pause })
      if (pause) {
        incoming.resume()
        outgoing.writeHead(pause.status, { 'Retry-After': pause.retryAfter, 'Content-Type': 'application/json' })
        outgoing.end('{"message":"Too much at once."}')
        return
      }
    }
    const onward = request({ host: '127.0.0.1', port: target.port, method, path, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    onward.on('error', () => incoming.socket.destroy())
    incoming.pipe(onward)
  })
  server.on('upgrade', (_, socket) => socket.destroy())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const proxy: PausingProxy = {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    seen: [],
    judge: () => null,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}
