import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'

export interface FaultyProxy {
  url: string
  /** Requests for which this says true reach the server and are applied there; the answer is thrown away and the connection cut. */
  dropAnswer: (request: { method: string; path: string }) => boolean
  /** Answers thrown away so far. */
  dropped: number
  stop(): Promise<void>
}

/** A proxy in front of a test server that can lose answers, as a network does. */
export async function startFaultyProxy(target: { port: number }): Promise<FaultyProxy> {
  const proxy: FaultyProxy = { url: '', dropAnswer: () => false, dropped: 0, stop: async () => {} }
  const server = createServer((incoming, outgoing) => {
    forward(proxy, target.port, incoming, outgoing)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  proxy.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  proxy.stop = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return proxy
}

function forward(proxy: FaultyProxy, port: number, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method = 'GET', url = '/' } = incoming
  const onward = request({ host: '127.0.0.1', port, method, path: url, headers: incoming.headers }, (answer) => {
    if (proxy.dropAnswer({ method, path: url })) {
      answer.resume()
      answer.once('end', () => {
        proxy.dropped += 1
        incoming.socket.destroy()
      })
      return
    }
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  onward.on('error', () => incoming.socket.destroy())
  incoming.pipe(onward)
}
