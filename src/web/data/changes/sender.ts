import { noteUnauthorized, renewals } from '#web/data/server/rpc.ts'
import { withLock } from '#web/data/browser/lock.ts'
import { writeWithRoom } from '#web/data/store/make-room.ts'
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
export const operationsSent = emitter()

let pause = shortestPause
let timer: ReturnType<typeof setTimeout> | undefined
let waitingForTurn: Promise<void> | null = null

/**
 * Sends what waits, in order; one sender among all tabs. Resolves when nothing is left that can be sent now. Where no answer comes it
 * tries again by itself, after 1 to 30 s or as the server asked, and at once when the network is back.
 */
export function sendWaiting(): Promise<void> {
  const { session } = sessionState.get()
  if (!session || session.expired) return Promise.resolve()
  // One request for the lock at a time: its holder reads the queue anew, so what was added meanwhile is sent too.
  waitingForTurn ??= withLock(`banyan-outbox-${session.userId}`, async () => {
    waitingForTurn = null
    await drain(session.userId).catch((error: unknown) => noteFailure(session.userId, error))
  })
  return waitingForTurn
}

/** Sends on start, on reconnect, on focus and after a sign-in. Returns the function that stops it. */
export function startSending(): () => void {
  const retry = () => {
    pause = shortestPause
    attempt()
  }
  globalThis.addEventListener?.('online', retry)
  globalThis.addEventListener?.('focus', attempt)
  const stops = [
    sessionState.subscribe(attempt),
    reachable.subscribe(() => reachable.get() && retry()),
    renewals.subscribe(retry),
    onTabMessage((message) => message.type === 'operations' && attempt()),
  ]
  attempt()
  return () => {
    clearTimeout(timer)
    globalThis.removeEventListener?.('online', retry)
    globalThis.removeEventListener?.('focus', attempt)
    for (const stop of stops) stop()
  }
}

function attempt(): void {
  void sendWaiting()
}

async function drain(userId: string): Promise<void> {
  let sentSome = false
  for (;;) {
    const { session } = sessionState.get()
    if (session?.userId !== userId || session.expired) break
    if (serverPause() > 0) {
      tryLater()
      break
    }
    const operation = nextToSend(await readOperations(userId))
    if (!operation) break
    if (!(await sendOne(operation))) {
      // The lock is held until the other tabs have heard of a pause: it would be their turn at once.
      if (serverPause() > 0) await new Promise((resolve) => setTimeout(resolve, hearingTime))
      break
    }
    sentSome = true
  }
  if (sentSome) operationsSent.emit()
}

/** False when this was no answer and the queue has to wait. */
async function sendOne(operation: Operation): Promise<boolean> {
  const sent = await send(operation)
  if (sent.kind === 'wait' || sent.kind === 'session') {
    if (sent.kind === 'session') await noteUnauthorized(sent.code)
    tryLater()
    return false
  }
  pause = shortestPause
  const notices = noticesOf(operation, sent)
  await writeWithRoom(operation.userId, () => settleOperation(operation, sent))
  tellNotices(notices)
  return true
}

/** The disk refused to write down what the server said (the operation is sent again, with its key), or its user has gone. */
function noteFailure(userId: string, error: unknown): void {
  if (sessionState.get().session?.userId !== userId) return
  console.error('The queue could not be sent.', error)
  tryLater()
}

function tryLater(): void {
  clearTimeout(timer)
  // A little chance in it, so that many browsers do not come back in the same moment.
  const wait = Math.max(serverPause(), pause * (0.75 + Math.random() / 2))
  timer = setTimeout(() => void sendWaiting(), wait)
  ;(timer as { unref?: () => void }).unref?.()
  pause = Math.min(pause * 2, longestPause)
}
