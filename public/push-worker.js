// Loaded by the service worker: shows what the server pushes, and opens its record in a window of the app.
self.addEventListener('push', (event) => {
  let push = {}
  try {
    push = event.data?.json() ?? {}
  } catch {
    // Browsers demand that something is shown.
  }
  const { title = 'Banyan CRM', body = '', tag, url = '/' } = push
  const shown = { body, tag, icon: '/icon-192.png', badge: '/icon-monochrome-512.png', data: { url } }
  event.waitUntil(self.registration.showNotification(title, shown))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data?.url))
})

async function open(address) {
  const { origin, href, pathname, search, hash } = new URL(address, self.location.origin)
  if (origin !== self.location.origin) return
  const windows = await self.clients.matchAll({ type: 'window' })
  const app = windows.find(({ url }) => new URL(url).pathname.startsWith('/crm'))
  if (!app) return self.clients.openWindow(href)
  // A browser may refuse the focus; the page opens the record all the same.
  await app.focus().catch(() => {})
  // The page goes there by itself: a new load would lose what is typed.
  app.postMessage({ type: 'open', path: pathname + search + hash })
}
