import { type Device, devicePart } from '#web/data/browser/device.ts'
import type { Timer } from '#web/data/browser/surroundings.ts'
import { emitter } from '#web/lib/emitter.ts'
import { operationsSent } from '#web/data/changes/sender.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import { observable } from '#web/lib/observable.ts'
import { withLock } from '#web/data/browser/lock.ts'
import { reachable, serverPause } from '#web/data/server/network.ts'
import { pullBrand } from './pull.ts'
import { BrandClosedError } from './pull-tables.ts'
import { isRefusal } from '#web/data/server/is-refusal.ts'
import { renewals, RpcError } from '#web/data/server/rpc.ts'
import { sessionState } from '#web/data/session/session.ts'
import { followStoredCursor } from '#web/data/store/follow-tabs.ts'
import { isStoringRows } from '#web/data/store/store-rows.ts'
import { onTabMessage } from '#web/data/browser/tab-channel.ts'
import { wipeInMemory, wipeBrand } from '#web/data/store/wipe-brand.ts'

/** Usual time between two pulls of a visible page that gets no live events (ms). */
const intervalMs = 4000
/**
 * Time between two attempts while the server is unreachable (ms). This time is shorter, so that people can continue soon after the server is
 * back.
 */
const intervalWhileUnreachableMs = 2000
/** Usual time between two pulls of a visible page that gets live events (ms). It is longer, because each event also causes a pull. */
const intervalWhileLiveMs = 30_000

/** Whether this tab gets live events. */
export const isLive = devicePart(() => observable(false))

/**
 * Emits when the user is no longer a member of the brand. `unsent`: number of operations that can no longer be sent; 0 if another tab has noticed the
 * loss.
 */
export const brandLost = devicePart(() => emitter<{ brandId: string; unsent: number }>())

/** Emits the id of a brand when that brand requires a second factor that this session has not proved. */
export const secondFactorRequired = devicePart(() => emitter<string>())

interface PullState {
  running: Promise<void> | null
  /** True if a pull was requested while another one was running: one more pull follows. */
  isDue: boolean
  startedAt: number
  afterPause: Timer | undefined
}

const pullState = devicePart((): PullState => ({ running: null, isDue: false, startedAt: 0, afterPause: undefined }))

/**
 * Pulls the changes of the open brand. Resolves when they are stored, or when the pull has failed or cannot begin. All calls during a pull
 * together cause one more pull.
 */
export function requestPull(device: Device): Promise<void> {
  const state = pullState(device)
  if (state.running) {
    state.isDue = true
    return state.running
  }
  state.running = runPulls(device).finally(() => {
    state.running = null
  })
  return state.running
}

/**
 * Starts pulling: on focus, when the page becomes visible, on reconnect, after own operations were sent, after the session was renewed, and
 * by a timer while the page is visible. Also wipes the open brand from memory if another tab finds that the user is no longer a member.
 * Returns the function that stops both.
 */
export function startPulling(device: Device): () => void {
  const pullNow = () => pullIfVisible(device)
  const timer = device.clock.setInterval(() => pullByTimer(device), intervalWhileUnreachableMs)
  const events = ['focus', 'online', 'pageshow'] as const
  for (const event of events) globalThis.addEventListener?.(event, pullNow)
  globalThis.document?.addEventListener('visibilitychange', pullNow)
  const stopMessages = onTabMessage(device, (message) => {
    if (message.type !== 'brand-lost' || message.brandId !== openBrand(device).get()?.brandId) return
    wipeInMemory(device, message.userId, message.brandId)
    brandLost(device).emit({ brandId: message.brandId, unsent: 0 })
  })
  const stops = [
    reachable(device).subscribe(() => reachable(device).get() && void requestPull(device)),
    renewals(device).subscribe(() => void requestPull(device)),
    operationsSent(device).subscribe(() => void requestPull(device)),
  ]
  pullIfVisible(device)
  return () => {
    for (const stop of stops) stop()
    device.clock.clearInterval(timer)
    for (const event of events) globalThis.removeEventListener?.(event, pullNow)
    globalThis.document?.removeEventListener('visibilitychange', pullNow)
    stopMessages()
  }
}

function pullByTimer(device: Device): void {
  const usualIntervalMs = isLive(device).get() ? intervalWhileLiveMs : intervalMs
  const since = device.clock.now() - pullState(device).startedAt
  // The timer may run a few milliseconds early or late. So a pull is due at the run of the timer that is nearest to the end of the usual time.
  const isIntervalOver = since > usualIntervalMs - intervalWhileUnreachableMs / 2
  // `since` is negative if the clock was set back.
  if (!reachable(device).get() || isIntervalOver || since < 0) pullIfVisible(device)
}

function pullIfVisible(device: Device): void {
  if (globalThis.document?.visibilityState !== 'hidden') void requestPull(device)
}

async function runPulls(device: Device): Promise<void> {
  do {
    pullState(device).isDue = false
    const data = openBrand(device).get()
    const { session } = sessionState(device).get()
    if (!data || session?.userId !== data.userId || session.expired || !data.loaded.get()) return
    if (serverPause(device) > 0) return pullAfterPause(device)
    pullState(device).startedAt = device.clock.now()
    await pullOnce(data)
    // If the server asked for a pause, the pull has ended early. The next turn of the loop then plans a pull for the end of the pause.
  } while (pullState(device).isDue || serverPause(device) > 0)
}

/** Plans a pull for the end of the pause that the server asked for. */
function pullAfterPause(device: Device): void {
  device.clock.clearTimeout(pullState(device).afterPause)
  pullState(device).afterPause = device.clock.setTimeout(() => pullIfVisible(device), serverPause(device))
}

async function pullOnce(data: BrandData): Promise<void> {
  try {
    // Only one tab pulls at a time. Another tab may just have pulled and stored its cursor.
    await withLock(data.device, `banyan-pull-${data.userId}-${data.brandId}`, async () => {
      if (isStoringRows(data.device)) await followStoredCursor(data)
      await pullBrand(data)
    })
  } catch (error) {
    if (error instanceof BrandClosedError) return
    // If the answer was for another user, it says nothing about this user's brand.
    if (sessionState(data.device).get().session?.userId !== data.userId) return
    if (error instanceof RpcError && isRefusal(error, 'NOT_AUTHORIZED')) await wipeLost(data)
    else if (error instanceof RpcError && isRefusal(error, 'SECOND_FACTOR_REQUIRED'))
      secondFactorRequired(data.device).emit(data.brandId)
    else if (!(error instanceof RpcError) || !error.isTemporary)
      console.error('The changes could not be fetched.', error)
  } finally {
    data.firstPullEnded.set(true)
  }
}

/** Wipes the data of a brand from this device after the user was removed from the brand (docs/offline.md). */
async function wipeLost({ device, userId, brandId }: BrandData): Promise<void> {
  await wipeBrand(device, userId, brandId).then(
    (unsent) => brandLost(device).emit({ brandId, unsent }),
    // The user has signed out meanwhile, or the disk refuses the wipe for the first time. Then the next pull is refused, too, and wipes the brand.
    () => {},
  )
}
