import { type Device, useDevice } from '#web/data/browser/device.ts'
import { devicePart } from '#web/data/browser/device.ts'
import { allowsServiceWorker } from '#web/data/browser/config.ts'
import { observable, useObservable } from '#web/lib/observable.ts'
import { hasUnsentText } from '#web/lib/missing-parts.ts'

/** A newer version of the app is on this device and waits for a moment to take over. */
const updates = devicePart(() => ({
  waiting: observable<ServiceWorker | null>(null),
  isStarted: false,
  isReloading: false,
}))

const checkEvery = 60 * 60_000

/** Whether a newer version waits; the page says so and offers to load it. */
export function useUpdateWaiting(): boolean {
  const device = useDevice()
  return useObservable(updates(device).waiting) !== null
}

/**
 * Keeps the app on this device (shell, deep links), so that it opens without a network. Once a tab, when the page has nothing better to
 * do; only in a secure context, and not in development. It keeps the app's own files: nothing of anybody's data.
 */
export function startServiceWorker(device: Device): void {
  if (updates(device).isStarted || !import.meta.env?.PROD || !('serviceWorker' in navigator) || !allowsServiceWorker())
    return
  updates(device).isStarted = true
  const { serviceWorker } = navigator
  const hadOne = serviceWorker.controller !== null
  serviceWorker.addEventListener('controllerchange', () => {
    void keepConfig()
    if (!hadOne || updates(device).isReloading) return
    // Another tab let the new version take over: this one still runs the old one, whose files may be gone.
    updates(device).waiting.set(serviceWorker.controller)
    reloadAtSafeMoment()
  })
  // It may have taken this page over before anybody listened here, and after the page had asked for its configuration.
  if (hadOne) void keepConfig()
  serviceWorker
    .register('/sw.js', { updateViaCache: 'none' })
    .then((registration) => follow(device, registration))
    .catch((error: unknown) => console.warn('The app could not be kept on this device.', error))
}

/** Lets the newer version take over, and loads it. */
export function takeUpdate(device: Device): void {
  const worker = updates(device).waiting.get()
  updates(device).isReloading = true
  if (!worker || worker === navigator.serviceWorker.controller) return location.reload()
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
  worker.postMessage({ type: 'SKIP_WAITING' })
}

/** Sees to it that the worker has a copy of where the backend is, for the first start without a network. */
async function keepConfig(): Promise<void> {
  try {
    if (!(await caches.match('/config.js'))) await fetch('/config.js')
  } catch {
    // No network just now: every later page asks by way of the worker.
  }
}

function follow(device: Device, registration: ServiceWorkerRegistration): void {
  const note = () => {
    if (registration.waiting && navigator.serviceWorker.controller) updates(device).waiting.set(registration.waiting)
  }
  note()
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', note))
  setInterval(() => void registration.update().catch(() => {}), checkEvery)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void registration.update().catch(() => {})
  })
}

/** Reloads when nobody looks and nothing is typed; until then the notice offers it. */
function reloadAtSafeMoment(): void {
  const look = () => {
    if (document.visibilityState !== 'hidden' || hasUnsentText()) return
    document.removeEventListener('visibilitychange', look)
    location.reload()
  }
  document.addEventListener('visibilitychange', look)
  look()
}
