import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import type { Timer } from '#web/data/browser/surroundings.ts'
import { observable, useObservable } from '#web/lib/observable.ts'
import { reachable } from '#web/data/server/network.ts'
import type { Notice } from '#web/data/changes/notice.ts'
import { subscribeToNotices } from '#web/data/changes/notices.ts'
import { queue, readOperations } from '#web/data/store/queue.ts'
import { readSession, sessionState } from '#web/data/session/session.ts'

/**
 * The status that the badge shows, and the number of operations that wait to be sent (may be 0). saved: 'All changes saved'. sending: 'Sending n'.
 * A new edit counts as sending after half a second. offline: 'Offline'. attention: 'Needs attention', also offline. sign-in: the session has
 * expired, 'Sign in to send'.
 */
export interface SyncStatus {
  state: 'saved' | 'sending' | 'offline' | 'attention' | 'sign-in'
  count: number
}

export type { Notice }

/** A new edit is shown as being sent only after this time (ms). */
const quietMs = 500

/** Returns the status that the badge shows. Null until the queue has been read. */
export function useSyncStatus(): SyncStatus | null {
  const device = useDevice()
  return useObservable(syncStatus(device))
}

/** Whether the last request got no response, or the browser is offline. */
export function useIsOffline(): boolean {
  const device = useDevice()
  return !useObservable(reachable(device))
}

/** Returns how many of the signed-in user's operations the server has not applied, including failed ones. Returns 0 without a session. */
export async function countUnsent(device: Device): Promise<number> {
  const session = await readSession(device)
  return session ? (await readOperations(device, session.userId)).length : 0
}

/**
 * Calls the listener with each notice that a toast should show ('{name} moved {deal} after you'). Returns the function that unsubscribes.
 */
export function onNotice(device: Device, listener: (notice: Notice) => void): () => void {
  return subscribeToNotices(device, listener)
}

/**
 * Whether the app works offline. False on plain http, except on localhost; the page then says that offline work needs https or localhost.
 */
export const canWorkOffline: boolean = globalThis.isSecureContext ?? true

/**
 * The status that `useSyncStatus` returns. A new edit is shown as being sent after half a second. Operations that waited while the page was
 * closed or offline are shown at once.
 */
export const syncStatus = devicePart((device) => {
  const status = observable<SyncStatus | null>(null)
  let sendingSince: number | null = null
  let timer: Timer | undefined
  const publish = (state: SyncStatus['state'], count: number) => {
    const current = status.get()
    if (current?.state !== state || current.count !== count) status.set({ state, count })
  }
  const update = () => {
    device.clock.clearTimeout(timer)
    const { isReady, operations } = queue(device).get()
    if (!isReady) return status.set(null)
    const waitingCount = operations.filter((operation) => operation.state === 'waiting').length
    const now = device.clock.elapsed()
    sendingSince = waitingCount > 0 ? (sendingSince ?? now) : null
    const { expired = false, ranOut = false } = sessionState(device).get().session ?? {}
    if (waitingCount < operations.length) publish('attention', waitingCount)
    else if (expired || (ranOut && !reachable(device).get())) publish('sign-in', waitingCount)
    else if (!reachable(device).get()) publish('offline', waitingCount)
    else if (sendingSince === null) publish('saved', 0)
    else if (status.get()?.state !== 'saved' || now - sendingSince >= quietMs) publish('sending', waitingCount)
    else timer = device.clock.setTimeout(update, quietMs - (now - sendingSince) + 1)
  }
  queue(device).subscribe(update)
  reachable(device).subscribe(update)
  sessionState(device).subscribe(update)
  update()
  return status
})
