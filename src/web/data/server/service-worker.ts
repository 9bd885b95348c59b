import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import { allowsServiceWorker } from '#web/data/browser/config.ts'
import { observable, useObservable } from '#web/lib/observable.ts'
import { mayReload } from '#web/lib/missing-parts.ts'

/** `waiting`: the service worker of a newer version of the app, whose files are on this device, but which this tab does not use yet. Null if none. */
const updates = devicePart(() => ({
  waiting: observable<ServiceWorker | null>(null),
  isStarted: false,
  isReloading: false,
}))

const updateCheckIntervalMs = 60 * 60_000

/** Whether a newer version waits. The page then offers to load that version. */
export function useUpdateWaiting(): boolean {
  const device = useDevice()
  return useObservable(updates(device).waiting) !== null
}

/**
 * Registers the service worker, which keeps the app's files on this device, so that every page of the app opens without a network. The service worker
 * stores no data of users. Call it when the page is idle. Runs once per tab, only in a secure context, not in development, and not if the operator
 * has disabled the service worker.
 */
export function startServiceWorker(device: Device): void {
  if (updates(device).isStarted || !import.meta.env?.PROD || !('serviceWorker' in navigator) || !allowsServiceWorker())
    return
  updates(device).isStarted = true
  const { serviceWorker } = navigator
  const hadWorker = serviceWorker.controller !== null
  serviceWorker.addEventListener('controllerchange', () => {
    void cacheConfig()
    if (!hadWorker || updates(device).isReloading) return
    // Another tab activated the new version. This tab still runs the old one, whose files may have been deleted.
    updates(device).waiting.set(serviceWorker.controller)
    reloadWhenHidden()
  })
  // If the worker took control after the page had loaded `/config.js`, but before this listener was added, its cache does not have the file
  // yet.
  if (hadWorker) void cacheConfig()
  serviceWorker
    .register('/sw.js', { updateViaCache: 'none' })
    .then((registration) => watchUpdates(device, registration))
    .catch((error: unknown) => console.warn('The app could not be stored on this device.', error))
}

/** Activates the newer version and reloads the page. */
export function applyUpdate(device: Device): void {
  const worker = updates(device).waiting.get()
  updates(device).isReloading = true
  if (!worker || worker === navigator.serviceWorker.controller) return location.reload()
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
  worker.postMessage({ type: 'SKIP_WAITING' })
}

/** Puts `/config.js` into the worker's cache, for the first start without a network. */
async function cacheConfig(): Promise<void> {
  try {
    if (!(await caches.match('/config.js'))) await fetch('/config.js')
  } catch {
    // There is no network now. The next page that is opened loads the file through the worker, which caches it.
  }
}

function watchUpdates(device: Device, registration: ServiceWorkerRegistration): void {
  const setWaiting = () => {
    if (registration.waiting && navigator.serviceWorker.controller) updates(device).waiting.set(registration.waiting)
  }
  setWaiting()
  registration.addEventListener('updatefound', () =>
    registration.installing?.addEventListener('statechange', setWaiting),
  )
  setInterval(() => void registration.update().catch(() => {}), updateCheckIntervalMs)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void registration.update().catch(() => {})
  })
}

/** Reloads when the page is hidden and may reload. Until then, a notice offers the reload. */
function reloadWhenHidden(): void {
  const reloadIfHidden = () => {
    if (document.visibilityState !== 'hidden' || !mayReload()) return
    document.removeEventListener('visibilitychange', reloadIfHidden)
    location.reload()
  }
  document.addEventListener('visibilitychange', reloadIfHidden)
  reloadIfHidden()
}
