import type { Server as HttpServer, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'

/** Kept-alive connections get this long to send one more request and be told to close. Milliseconds. */
const closeIdleIntervalMs = 600

/**
 * Stops a listener without breaking a request: no new connections; each answer from now on closes its connection;
 * connections that stay silent are closed; after `graceMs` whatever is left is cut. Resolves when all are closed.
 *
 * Node's own `close()` would at once cut idle kept-alive connections, on which a request may be on its way right now.
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
