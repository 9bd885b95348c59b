import type { Handler } from './exchange.ts'

/**
 * A service worker that replaces an installed one: it deletes the caches and unregisters itself. Open pages continue
 * over the network.
 */
const workerScript = `self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(retire()))
async function retire() {
  for (const name of await caches.keys()) await caches.delete(name)
  await self.registration.unregister()
}
`

/**
 * `/sw.js` with `SERVICE_WORKER=off`. Browsers fetch the worker's file regularly and on each page load, and install
 * this one instead (OWASP HTML5 cheat sheet: a kill switch for service workers).
 */
export const respondRetiredWorker: Handler = async () => ({
  status: 200,
  headers: { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-store' },
  body: workerScript,
})
