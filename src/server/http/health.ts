import { type Handler, json } from './exchange.ts'
import { requireReadMethod } from './read-method.ts'

const noStoreHeaders = { 'Cache-Control': 'no-store' }

/** Handles `/healthz`. It responds to GET and HEAD with 200 while the process runs. Throws 405 for other methods. */
export const serveHealth: Handler = async (request) => {
  requireReadMethod(request)
  return json(200, { status: 'ok' }, noStoreHeaders)
}

/**
 * Creates the handler of `/readyz`. It responds with 200 when the database is reachable and migrated, otherwise with 503.
 * Throws 405 for other methods than GET and HEAD.
 */
export function createReadinessHandler(ready: () => Promise<boolean>): Handler {
  return async (request) => {
    requireReadMethod(request)
    return (await ready())
      ? json(200, { status: 'ready' }, noStoreHeaders)
      : json(503, { status: 'database away' }, { ...noStoreHeaders, 'Retry-After': '1' })
  }
}
