import type { Handler } from './exchange.ts'

/**
 * `/config.js`: hands the page the public key, so that one build serves every installation. The address is left empty:
 * the page takes its own origin, the one name of this server that is surely right for it. `serviceWorker`: whether the page
 * may keep itself for a time without a network.
 */
export function createConfigScript(publishableKey: string, serviceWorker: boolean): Handler {
  const config = JSON.stringify({ url: '', publishableKey, ...(serviceWorker ? {} : { serviceWorker }) })
  const body = `globalThis.BANYAN_CONFIG = ${config}\n`
  const headers = { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-store' }
  return async () => ({ status: 200, headers, body })
}
