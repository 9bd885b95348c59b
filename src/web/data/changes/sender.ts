import { wait } from '#web/data/browser/wait.ts'
import { type Device, devicePart } from '#web/data/browser/device.ts'
import type { Timer } from '#web/data/browser/surroundings.ts'
import { handleUnauthorized, renewals } from '#web/data/server/rpc.ts'
import { withLock } from '#web/data/browser/lock.ts'
import { writeMakingRoom } from '#web/data/store/make-room.ts'
import { reachable, serverPause } from '#web/data/server/network.ts'
import { emitter } from '#web/lib/emitter.ts'
import { sessionState } from '#web/data/session/session.ts'
import { onTabMessage } from '#web/data/browser/tab-channel.ts'
import { lastUnreachable } from './last-unreachable.ts'
import { nextToSend } from './send-order.ts'
import { prepareNotices } from './notices.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { readOperations } from '#web/data/store/queue.ts'
import { send } from './send.ts'
import { settleOperation } from './settle.ts'

const shortestRetryMs = 1000
const longestRetryMs = 30_000
/** A message from one tab to another takes less time than this (ms). */
const tabMessageMs = 100

/** Emits after operations were sent. A pull then fetches the changed rows. */
export const operationsSent = devicePart(() => emitter())

interface Sending {
  retryMs: number
  timer: Timer | undefined
  waitingForLock: Promise<void> | null
}

const sending = devicePart((): Sending => ({ retryMs: shortestRetryMs, timer: undefined, waitingForLock: null }))

/**
 * Sends the waiting operations in order, in one tab at a time. Resolves when nothing can be sent now, and at once without a valid session.
 * If the server does not answer, tries again after about 1 to 30 s, or after the pause that the server asked for.
 */
export function sendWaiting(device: Device): Promise<void> {
  const { session } = sessionState(device).get()
  if (!session || session.expired) return Promise.resolve()
  const state = sending(device)
  // One request for the lock is enough. The tab that holds the lock reads the queue, including the operations that were added meanwhile.
  state.waitingForLock ??= withLock(device, `banyan-outbox-${session.userId}`, async () => {
    state.waitingForLock = null
    await sendAll(device, session.userId).catch((error: unknown) => handleFailure(device, session.userId, error))
  })
  return state.waitingForLock
}

/** Sends the waiting operations now, and on reconnect, focus, sign-in, token renewal and other tabs' edits. Returns the function that stops this. */
export function startSending(device: Device): () => void {
  lastUnreachable(device)
  const retry = () => {
    sending(device).retryMs = shortestRetryMs
    attempt(device)
  }
  globalThis.addEventListener?.('online', retry)
  const attemptNow = () => attempt(device)
  globalThis.addEventListener?.('focus', attemptNow)
  const stops = [
    sessionState(device).subscribe(() => attempt(device)),
    reachable(device).subscribe(() => reachable(device).get() && retry()),
    renewals(device).subscribe(retry),
    onTabMessage(device, (message) => message.type === 'operations' && attempt(device)),
  ]
  attempt(device)
  return () => {
    device.clock.clearTimeout(sending(device).timer)
    globalThis.removeEventListener?.('online', retry)
    globalThis.removeEventListener?.('focus', attemptNow)
    for (const stop of stops) stop()
  }
}

function attempt(device: Device): void {
  void sendWaiting(device)
}

/** Sends the waiting operations one by one, until none can be sent any more. */
async function sendAll(device: Device, userId: string): Promise<void> {
  let hasSent = false
  for (;;) {
    const { session } = sessionState(device).get()
    if (session?.userId !== userId || session.expired) break
    if (serverPause(device) > 0) {
      retryLater(device)
      break
    }
    const operation = nextToSend(await readOperations(device, userId))
    if (!operation) break
    if (!(await sendOne(device, operation))) {
      // This tab keeps the lock until its message about the pause has reached the other tabs. Otherwise another tab would send at once.
      if (serverPause(device) > 0) await wait(device, tabMessageMs)
      break
    }
    hasSent = true
  }
  if (hasSent) operationsSent(device).emit()
}

/**
 * Sends an operation and stores the server's answer. Returns false if the queue has to wait, because the server did not answer or the
 * session is not valid.
 */
async function sendOne(device: Device, operation: Operation): Promise<boolean> {
  const sent = await send(device, operation)
  if (sent.kind === 'wait' || sent.kind === 'session') {
    if (sent.kind === 'session') await handleUnauthorized(device, sent.code)
    retryLater(device)
    return false
  }
  sending(device).retryMs = shortestRetryMs
  const showNotices = prepareNotices(device, operation, sent)
  showNotices(await writeMakingRoom(device, operation.userId, () => settleOperation(device, operation, sent)))
  return true
}

/**
 * Plans another attempt after the outbox could not be read or the server's answer could not be stored. The operation is then sent with the
 * same key. Does nothing if the user has signed out.
 */
function handleFailure(device: Device, userId: string, error: unknown): void {
  if (sessionState(device).get().session?.userId !== userId) return
  console.error('The queue could not be sent.', error)
  retryLater(device)
}

function retryLater(device: Device): void {
  const state = sending(device)
  device.clock.clearTimeout(state.timer)
  // The time between two attempts is random, so that many browsers do not send at the same moment. A longer pause that the server asked for is
  // kept as it is.
  const delay = Math.max(serverPause(device), state.retryMs * (0.75 + Math.random() / 2))
  state.timer = device.clock.setTimeout(() => void sendWaiting(device), delay)
  state.retryMs = Math.min(state.retryMs * 2, longestRetryMs)
}
