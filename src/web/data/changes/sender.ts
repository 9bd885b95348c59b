import { wait } from '#web/data/browser/wait.ts'
import { type Device } from '#web/data/browser/device.ts'
import type { Timer } from '#web/data/browser/surroundings.ts'
import { devicePart } from '#web/data/browser/device.ts'
import { noteUnauthorized, renewals } from '#web/data/server/rpc.ts'
import { withLock } from '#web/data/browser/lock.ts'
import { writeMakingRoom } from '#web/data/store/make-room.ts'
import { reachable, serverPause } from '#web/data/server/network.ts'
import { emitter } from '#web/lib/emitter.ts'
import { sessionState } from '#web/data/session/session.ts'
import { onTabMessage } from '#web/data/browser/tab-channel.ts'
import { nextToSend } from './next.ts'
import { noticesOf, tellNotices } from './notices.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { readOperations } from '#web/data/store/queue.ts'
import { send } from './send.ts'
import { settleOperation } from './settle.ts'

const shortestPause = 1000
const longestPause = 30_000
/** A message between tabs takes less. Milliseconds. */
const hearingTime = 100

/** Operations were sent: rows have changed on the server. */
export const operationsSent = devicePart(() => emitter())

interface Sending {
  pause: number
  timer: Timer | undefined
  waitingForTurn: Promise<void> | null
}

const sending = devicePart((): Sending => ({ pause: shortestPause, timer: undefined, waitingForTurn: null }))

/**
 * Sends what waits, in order; one sender among all tabs. Resolves when nothing is left that can be sent now. Where no answer comes it
 * tries again by itself, after 1 to 30 s or as the server asked, and at once when the network is back.
 */
export function sendWaiting(device: Device): Promise<void> {
  const { session } = sessionState(device).get()
  if (!session || session.expired) return Promise.resolve()
  const state = sending(device)
  // One request for the lock at a time: its holder reads the queue anew, so what was added meanwhile is sent too.
  state.waitingForTurn ??= withLock(device, `banyan-outbox-${session.userId}`, async () => {
    state.waitingForTurn = null
    await drain(device, session.userId).catch((error: unknown) => noteFailure(device, session.userId, error))
  })
  return state.waitingForTurn
}

/** Sends on start, on reconnect, on focus and after a sign-in. Returns the function that stops it. */
export function startSending(device: Device): () => void {
  const retry = () => {
    sending(device).pause = shortestPause
    attempt(device)
  }
  globalThis.addEventListener?.('online', retry)
  const hear = () => attempt(device)
  globalThis.addEventListener?.('focus', hear)
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
    globalThis.removeEventListener?.('focus', hear)
    for (const stop of stops) stop()
  }
}

function attempt(device: Device): void {
  void sendWaiting(device)
}

async function drain(device: Device, userId: string): Promise<void> {
  let sentSome = false
  for (;;) {
    const { session } = sessionState(device).get()
    if (session?.userId !== userId || session.expired) break
    if (serverPause(device) > 0) {
      tryLater(device)
      break
    }
    const operation = nextToSend(await readOperations(device, userId))
    if (!operation) break
    if (!(await sendOne(device, operation))) {
      // The lock is held until the other tabs have heard of a pause: it would be their turn at once.
      if (serverPause(device) > 0) await wait(device, hearingTime)
      break
    }
    sentSome = true
  }
  if (sentSome) operationsSent(device).emit()
}

/** False when this was no answer and the queue has to wait. */
async function sendOne(device: Device, operation: Operation): Promise<boolean> {
  const sent = await send(device, operation)
  if (sent.kind === 'wait' || sent.kind === 'session') {
    if (sent.kind === 'session') await noteUnauthorized(device, sent.code)
    tryLater(device)
    return false
  }
  sending(device).pause = shortestPause
  const notices = noticesOf(device, operation, sent)
  await writeMakingRoom(device, operation.userId, () => settleOperation(device, operation, sent))
  tellNotices(device, notices)
  return true
}

/** The disk refused to write down what the server said (the operation is sent again, with its key), or its user has gone. */
function noteFailure(device: Device, userId: string, error: unknown): void {
  if (sessionState(device).get().session?.userId !== userId) return
  console.error('The queue could not be sent.', error)
  tryLater(device)
}

function tryLater(device: Device): void {
  const state = sending(device)
  device.clock.clearTimeout(state.timer)
  // A little chance in it, so that many browsers do not come back in the same moment.
  const delay = Math.max(serverPause(device), state.pause * (0.75 + Math.random() / 2))
  state.timer = device.clock.setTimeout(() => void sendWaiting(device), delay)
  state.pause = Math.min(state.pause * 2, longestPause)
}
