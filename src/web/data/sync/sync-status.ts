import { wait } from '#web/data/browser/wait.ts'
import { type Device, useDevice } from '#web/data/browser/device.ts'
import { devicePart } from '#web/data/browser/device.ts'
import type { Timer } from '#web/data/browser/surroundings.ts'
import { observable, useObservable } from '#web/lib/observable.ts'
import { reachable } from '#web/data/server/network.ts'
import { subscribeToNotices, type Notice } from '#web/data/changes/notices.ts'
import { openQueue, queue, readOperations } from '#web/data/store/queue.ts'
import { sendWaiting } from '#web/data/changes/sender.ts'
import { readSession, sessionState } from '#web/data/session/session.ts'

/**
 * For the badge. saved 'All changes saved'; sending 'Sending n' (for a new edit only after half a second); offline 'Offline', `count` waiting (may
 * be 0); attention 'Needs attention'; sign-in: the session expired, 'Sign in to send your changes'. Null until known: show nothing.
 */
export interface SyncStatus {
  state: 'saved' | 'sending' | 'offline' | 'attention' | 'sign-in'
  count: number
}

export type { Notice }

/** A quick save says nothing of sending. */
const quietFor = 500

/** What the badge says; null until the queue has been read. */
export function useSyncStatus(): SyncStatus | null {
  const device = useDevice()
  return useObservable(syncStatus(device))
}

/** Whether the last request got no answer, or the browser says that it is offline. */
export function useIsOffline(): boolean {
  const device = useDevice()
  return !useObservable(reachable(device))
}

/** Operations of this user that the server does not have, failed ones included. */
export async function countUnsent(device: Device): Promise<number> {
  const session = await readSession(device)
  return session ? (await readOperations(device, session.userId)).length : 0
}

/** Tries to send all that waits, for at most 10 s; true when nothing is left. */
export async function sendUnsent(device: Device): Promise<boolean> {
  const session = await readSession(device)
  if (!session) return true
  await openQueue(device, session.userId)
  await Promise.race([sendWaiting(device), wait(device, 10_000)])
  return (await countUnsent(device)) === 0
}

/** Hears what a person should be told though nobody asked ('{name} moved {deal} after you'): say it in a toast. */
export function onNotice(device: Device, listener: (notice: Notice) => void): () => void {
  return subscribeToNotices(device, listener)
}

/** False on plain http with a LAN address: say in one line that offline needs https or localhost. */
export const worksOffline: boolean = globalThis.isSecureContext ?? true

/**
 * What `useSyncStatus` shows. A new edit is said to be sending only once it has waited for half a second; what waited before this page was
 * open, or while it was offline, is said at once.
 */
export const syncStatus = devicePart((device) => {
  const status = observable<SyncStatus | null>(null)
  let sendingSince: number | null = null
  let timer: Timer | undefined
  const say = (state: SyncStatus['state'], count: number) => {
    const present = status.get()
    if (present?.state !== state || present.count !== count) status.set({ state, count })
  }
  const judge = () => {
    device.clock.clearTimeout(timer)
    const { ready, operations } = queue(device).get()
    if (!ready) return status.set(null)
    const waiting = operations.filter((operation) => operation.state === 'waiting').length
    const attention = operations.length - waiting
    const now = device.clock.now()
    sendingSince = waiting > 0 ? (sendingSince ?? now) : null
    const { expired = false, ranOut = false } = sessionState(device).get().session ?? {}
    if (attention > 0) say('attention', attention)
    else if (expired || (ranOut && !reachable(device).get())) say('sign-in', waiting)
    else if (!reachable(device).get()) say('offline', waiting)
    else if (sendingSince === null) say('saved', 0)
    else if (status.get()?.state !== 'saved' || now - sendingSince >= quietFor) say('sending', waiting)
    else timer = device.clock.setTimeout(judge, quietFor - (now - sendingSince) + 1)
  }
  queue(device).subscribe(judge)
  reachable(device).subscribe(judge)
  sessionState(device).subscribe(judge)
  judge()
  return status
})
