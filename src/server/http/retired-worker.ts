import type { Handler } from './exchange.ts'

/** Takes the place of a service worker that must go: removes its caches and itself; open pages go on by the network. */
const workerScript = `self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(retire()))
async function retire() {
  for (const name of await caches.keys()) await caches.delete(name)
  await self.registration.unregister()
}
`

/**
 * `/sw.js` where `SERVICE_WORKER=off`: browsers ask for the worker's file now and then, and by every page that is opened, and
 * take this one instead of theirs (OWASP HTML5 cheat sheet: a kill switch for service workers).
 */
export const respondRetiredWorker: Handler = async () => ({
  status: 200,
  headers: { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-store' },
  body: workerScript,
})
