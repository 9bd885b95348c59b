import { type Handler, json } from './exchange.ts'

const noStoreHeaders = { 'Cache-Control': 'no-store' }

/** Handles `/healthz`. It responds with 200 while the process runs. */
export const serveHealth: Handler = async () => json(200, { status: 'ok' }, noStoreHeaders)

/**
 * Creates the handler of `/readyz`. It responds with 200 when the database is reachable and migrated, otherwise with 503.
 */
export function createReadinessHandler(ready: () => Promise<boolean>): Handler {
  return async () =>
    (await ready())
      ? json(200, { status: 'ready' }, noStoreHeaders)
      : json(503, { status: 'database away' }, { ...noStoreHeaders, 'Retry-After': '1' })
}
