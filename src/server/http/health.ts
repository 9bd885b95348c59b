import { type Handler, json } from './exchange.ts'

const NOT_KEPT = { 'Cache-Control': 'no-store' }

/** `/healthz`: the process answers. */
export const respondHealthy: Handler = async () => json(200, { status: 'ok' }, NOT_KEPT)

/** `/readyz`: the database is reachable and migrated; else 503. */
export function createReadiness(ready: () => Promise<boolean>): Handler {
  return async () =>
    (await ready())
      ? json(200, { status: 'ready' }, NOT_KEPT)
      : json(503, { status: 'database away' }, { ...NOT_KEPT, 'Retry-After': '1' })
}
