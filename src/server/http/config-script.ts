import type { Handler } from './exchange.ts'
import { requireReadMethod } from './read-method.ts'

/**
 * Creates the handler of `/config.js`. The script gives the page the public keys of the API and of pushes, so that one
 * build serves every installation. The `url` in the script is empty: the page calls its own origin, which always reaches
 * this server. `serviceWorker`: whether the page may install its service worker.
 * Throws 405 for other methods than GET and HEAD.
 */
export function createConfigScript(keys: { publishableKey: string; pushKey: string }, serviceWorker: boolean): Handler {
  const config = JSON.stringify({ url: '', ...keys, ...(serviceWorker ? {} : { serviceWorker }) })
  const body = `globalThis.BANYAN_CONFIG = ${config}\n`
  const headers = { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-store' }
  return async (request) => {
    requireReadMethod(request)
    return { status: 200, headers, body }
  }
}
