import type { Server as HttpServer, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'

/**
 * Interval at which idle kept-alive connections are closed. In between they can send one more request, whose answer
 * closes the connection.
 */
const closeIdleIntervalMs = 600

/**
 * Stops a listener without breaking a request: it accepts no new connections, each answer closes its connection, and
 * idle connections are closed. After `graceMs` the rest is cut. Resolves when all are closed.
 *
 * Node's own `close()` would cut idle kept-alive connections at once, although a request may be on its way on them.
 */
export async function stopListener(server: HttpServer, graceMs: number): Promise<void> {
  server.prependListener('request', (_, response: ServerResponse) => {
    response.setHeader('Connection', 'close')
  })
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve())
  })
  const closeIdle = setInterval(() => server.closeIdleConnections(), closeIdleIntervalMs)
  const cut = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearInterval(closeIdle)
  clearTimeout(cut)
}
