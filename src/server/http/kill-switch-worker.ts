import type { Handler } from './exchange.ts'
import { requireReadMethod } from './read-method.ts'

/**
 * A service worker that replaces the installed one: it deletes the caches and unregisters itself. Open pages continue
 * without a service worker.
 */
const workerScript = `self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(retire()))
async function retire() {
  for (const name of await caches.keys()) await caches.delete(name)
  await self.registration.unregister()
}
`

/**
 * Handles `/sw.js` while `SERVICE_WORKER` is off. Browsers fetch this file regularly and on each page load, and so
 * replace the installed worker (OWASP HTML5 cheat sheet: a kill switch for service workers).
 */
export const serveKillSwitchWorker: Handler = async (request) => {
  requireReadMethod(request)
  return {
    status: 200,
    headers: { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-store' },
    body: workerScript,
  }
}
