// Loaded by the service worker: shows what the server pushes to the signed-in user, and opens its record in a window of the app.

/** How long a tap waits for a page of the app (ms). */
const tapLifeMs = 30_000

/** The last tap that no page has handled yet, or null, and the time of the tap. It is lost when the browser stops this worker. */
const waiting = { tap: null, at: 0 }

self.addEventListener('push', (event) => event.waitUntil(show(event.data)))

self.addEventListener('notificationclick', (event) => {
  const { data, tag } = event.notification
  event.notification.close()
  event.waitUntil(open(data?.url, data?.brandId, tag))
})

// A page asks for the tap that it missed while it was loading, and reports that it has handled a tap.
self.addEventListener('message', ({ data, source }) => {
  const { tap, at } = waiting
  if (data?.type === 'ask-tap' && tap && Date.now() - at < tapLifeMs) source.postMessage(tap)
  if (data?.type === 'tap-handled') waiting.tap = null
})

async function show(message) {
  let push = {}
  try {
    push = message?.json() ?? {}
  } catch {
    // Browsers demand that something is shown.
  }
  const { title = 'Banyan CRM', body = '', tag, url = '/', brand_id: brandId } = push
  const icons = { icon: '/icon-192.png', badge: '/icon-monochrome-512.png' }
  // Null if the user of the pushes is not signed in; undefined if this is unknown, because the stored values cannot be read.
  const userId = await readPushUser().catch(() => undefined)
  if (userId) return self.registration.showNotification(title, { ...icons, body, tag, data: { url, brandId } })
  if (userId === undefined) return self.registration.showNotification('Banyan CRM', icons)
  // Nobody is signed in, or another user, and the server has not learned of it: for example after a sign-out without a network. Nobody else may
  // read what is pushed to the earlier user.
  const ended = { ...icons, body: 'Notifications on this device have ended.', tag: 'ended' }
  await self.registration.showNotification('Banyan CRM', ended)
  // The server learns at its next push that the subscription has ended.
  await (await self.registration.pushManager.getSubscription())?.unsubscribe()
}

/**
 * @param {string} address
 * @param {string | null} brandId
 * @param {string | null} notificationId
 */
async function open(address = '/', brandId = null, notificationId = null) {
  const { origin, href, pathname, search, hash } = new URL(address, self.location.origin)
  if (origin !== self.location.origin) return
  const windows = await self.clients.matchAll({ type: 'window' })
  const app = windows.find(({ url }) => new URL(url).pathname.startsWith('/crm'))
  const tap = { type: 'open', brandId, notificationId }
  if (!app) {
    // A new window opens `href` in the user's last brand, so the brand is stored first. The tap needs no path: the page only marks it as read.
    const userId = brandId && (await readPushUser().catch(() => null))
    if (userId) await storeValue(`of:${userId}:brand`, brandId)
    Object.assign(waiting, { tap, at: Date.now() })
    return self.clients.openWindow(href)
  }
  Object.assign(waiting, { tap: { ...tap, path: pathname + search + hash }, at: Date.now() })
  // A browser may refuse the focus; the page opens the record all the same.
  await app.focus().catch(() => {})
  // The page goes there by itself: a new load would lose what is typed.
  app.postMessage(waiting.tap)
}

/**
 * Returns the id of the user who gets the pushes of this browser and is signed in, or null.
 * @returns {Promise<string | null>}
 */
async function readPushUser() {
  const database = await openValues()
  if (!database) return null
  try {
    const values = database.transaction('values').objectStore('values')
    const [pushUserId, user] = await Promise.all([resultOf(values.get('push-user')), resultOf(values.get('user'))])
    return pushUserId && user && JSON.parse(user).userId === pushUserId ? pushUserId : null
  } finally {
    database.close()
  }
}

async function storeValue(key, value) {
  const database = await openValues()
  if (!database) return
  await resultOf(database.transaction('values', 'readwrite').objectStore('values').put(value, key))
  database.close()
}

/** Opens the key-value store of the app (src/web/data/browser/key-value-store.ts). Null if there is none: then none is created. */
function openValues() {
  const opening = self.indexedDB.open('banyan-session')
  return new Promise((resolve, reject) => {
    opening.addEventListener('upgradeneeded', () => {
      opening.transaction.abort()
      resolve(null)
    })
    opening.addEventListener('success', () => resolve(opening.result))
    opening.addEventListener('error', () => reject(opening.error))
  })
}

function resultOf(request) {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error))
  })
}
