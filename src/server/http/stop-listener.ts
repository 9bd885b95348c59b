import type { Server as HttpServer, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'

/**
 * Interval at which idle kept-alive connections are closed (ms). Until then, an idle connection can carry one more request, and
 * is closed after the response.
 */
const closeIdleIntervalMs = 600

/**
 * Stops a listener without breaking a request: it accepts no new connections, closes a connection after its response, and
 * closes idle connections. After `graceMs` the remaining connections are cut. Resolves when all are closed.
 *
 * Node's own `close()` would cut idle kept-alive connections at once, although a client may be sending a request on them.
 */
export async function stopListener(server: HttpServer, graceMs: number): Promise<void> {
  server.prependListener('request', (_, response: ServerResponse) => {
    response.setHeader('Connection', 'close')
  })
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve())
  })
  const idleTimer = setInterval(() => server.closeIdleConnections(), closeIdleIntervalMs)
  const cutTimer = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearInterval(idleTimer)
  clearTimeout(cutTimer)
}
