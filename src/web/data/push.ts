import type { Device } from '#web/data/browser/device.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { rpc } from '#web/data/server/rpc.ts'
import { changeOnline } from '#web/data/session/online-only.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { sessionState } from '#web/data/session/session.ts'
import { fieldOf, textOf } from '#web/lib/read-unknown.ts'

/**
 * Whether this browser gets pushes while the app is closed, or the reason why it cannot: `insecure` (neither https nor localhost), `unoffered` (the
 * server sends no pushes), `unsupported` (the browser does not support pushes, or has not installed the service worker), `denied` (the person has
 * forbidden notifications).
 */
export type PushState = 'on' | 'off' | 'insecure' | 'unoffered' | 'unsupported' | 'denied'

/** The key of the stored id of the user who has turned pushes on in this browser. Another user who signs in has to turn pushes on again. */
const userKey = 'push-user'

/** Reads the state of this browser for the signed-in user. */
export async function readPushState(device: Device): Promise<PushState> {
  if (!globalThis.isSecureContext) return 'insecure'
  if (!globalThis.BANYAN_CONFIG?.pushKey) return 'unoffered'
  if (!('PushManager' in globalThis) || !('Notification' in globalThis)) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  const registration = await navigator.serviceWorker.getRegistration()
  if (!registration) return 'unsupported'
  const isMine = (await keyValueStore(device).get(userKey)) === userIdOf(device)
  return isMine && Notification.permission === 'granted' && (await registration.pushManager.getSubscription())
    ? 'on'
    : 'off'
}

/** Asks for the permission, subscribes this browser, and sends the subscription to the server. Call it from a click. */
export async function turnPushOn(device: Device): Promise<Outcome> {
  if ((await Notification.requestPermission()) !== 'granted')
    return { status: 'refused', message: 'This browser was not allowed to show notifications.', code: null }
  try {
    const { pushManager } = await navigator.serviceWorker.ready
    const applicationServerKey = globalThis.BANYAN_CONFIG?.pushKey ?? ''
    // An earlier subscription may be for another installation's key.
    await (await pushManager.getSubscription())?.unsubscribe()
    const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
    // Stored before the first push can come: the service worker shows pushes of this user only (public/push-worker.js).
    await keyValueStore(device).set(userKey, userIdOf(device))
    const outcome = await saveSubscription(device, subscription)
    if (outcome.status !== 'saved') {
      await keyValueStore(device).remove(userKey)
      await subscription.unsubscribe()
    }
    return outcome
  } catch (error) {
    console.warn('This browser could not be subscribed.', error)
    return { status: 'refused', message: 'The push service of this browser does not answer.', code: null }
  }
}

/** Ends the pushes to this browser. */
export async function turnPushOff(device: Device): Promise<void> {
  await keyValueStore(device).remove(userKey)
  const subscription = await currentSubscription()
  if (!subscription) return
  await subscription.unsubscribe()
  // Without an answer, the server learns at the next push that the subscription has ended.
  await rpc(device, userIdOf(device), 'remove_push_subscription', { p_endpoint: subscription.endpoint }).catch(() => {})
}

/** Call this function when the app starts. Links the subscription to the present session, because each sign-in starts a new session. */
export async function linkPushSubscription(device: Device): Promise<void> {
  if ((await readPushState(device)) !== 'on') return
  const subscription = await currentSubscription()
  if (subscription) await saveSubscription(device, subscription)
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

function saveSubscription(device: Device, subscription: PushSubscription): Promise<Outcome> {
  const subscriptionJson = subscription.toJSON()
  const keys = fieldOf(subscriptionJson, 'keys')
  const args = { p_endpoint: subscription.endpoint, p_p256dh: textOf(keys, 'p256dh'), p_auth: textOf(keys, 'auth') }
  return changeOnline(device, 'push', (server) => server.rpc('save_push_subscription', args), 'call')
}

function userIdOf(device: Device): string {
  return sessionState(device).get().session?.userId ?? ''
}
