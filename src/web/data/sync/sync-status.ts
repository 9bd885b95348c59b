import { observable, useObservable } from '#web/lib/observable.ts'
import { reachable } from '#web/data/server/network.ts'
import { hearNotices, type Notice } from '#web/data/changes/notices.ts'
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
  return useObservable(syncStatus)
}

/** Whether the last request got no answer, or the browser says that it is offline. */
export function useIsOffline(): boolean {
  return !useObservable(reachable)
}

/** Operations of this user that the server does not have, failed ones included. */
export async function countUnsent(): Promise<number> {
  const session = await readSession()
  return session ? (await readOperations(session.userId)).length : 0
}

/** Tries to send all that waits, for at most 10 s; true when nothing is left. */
export async function sendUnsent(): Promise<boolean> {
  const session = await readSession()
  if (!session) return true
  await openQueue(session.userId)
  await Promise.race([sendWaiting(), new Promise((resolve) => setTimeout(resolve, 10_000))])
  return (await countUnsent()) === 0
}

/** Hears what a person should be told though nobody asked ('{name} moved {deal} after you'): say it in a toast. */
export function onNotice(listener: (notice: Notice) => void): () => void {
  return hearNotices(listener)
}

/** False on plain http with a LAN address: say in one line that offline needs https or localhost. */
export const worksOffline: boolean = globalThis.isSecureContext ?? true

/** What `useSyncStatus` shows. */
export const syncStatus = observable<SyncStatus | null>(null)
let sendingSince: number | null = null
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Works the badge's state out anew. A new edit is said to be sending only once it has waited for half a second; what waited before this
 * page was open, or while it was offline, is said at once.
 */
function judge(): void {
  clearTimeout(timer)
  const { ready, operations } = queue.get()
  if (!ready) {
    syncStatus.set(null)
    return
  }
  const waiting = operations.filter((operation) => operation.state === 'waiting').length
  const attention = operations.length - waiting
  sendingSince = waiting > 0 ? (sendingSince ?? Date.now()) : null
  const { expired = false, ranOut = false } = sessionState.get().session ?? {}
  if (attention > 0) say('attention', attention)
  else if (expired || (ranOut && !reachable.get())) say('sign-in', waiting)
  else if (!reachable.get()) say('offline', waiting)
  else if (sendingSince === null) say('saved', 0)
  else if (syncStatus.get()?.state !== 'saved' || Date.now() - sendingSince >= quietFor) say('sending', waiting)
  else timer = setTimeout(judge, quietFor - (Date.now() - sendingSince) + 1)
}

function say(state: SyncStatus['state'], count: number): void {
  const present = syncStatus.get()
  if (present?.state !== state || present.count !== count) syncStatus.set({ state, count })
}

queue.subscribe(judge)
reachable.subscribe(judge)
sessionState.subscribe(judge)
