import { type Device } from '#web/data/browser/device.ts'
import { devicePart } from '#web/data/browser/device.ts'
import type { Timer } from '#web/data/browser/surroundings.ts'
import { emitter } from '#web/lib/emitter.ts'
import { operationsSent } from '#web/data/changes/sender.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import { observable } from '#web/lib/observable.ts'
import { localDatabase } from '#web/data/store/local-db.ts'
import { withLock } from '#web/data/browser/lock.ts'
import { reachable, serverPause } from '#web/data/server/network.ts'
import { pullBrand } from './pull.ts'
import { isRefusal } from '#web/data/server/is-refusal.ts'
import { renewals, RpcError } from '#web/data/server/rpc.ts'
import { sessionState } from '#web/data/session/session.ts'
import { isStoringRows } from '#web/data/store/store-rows.ts'
import { onTabMessage } from '#web/data/browser/tab-channel.ts'
import { wipeInMemory, wipeBrand } from '#web/data/store/wipe-brand.ts'

/** A visible page asks this often where live events do not reach it, and now and then where they do. Milliseconds. */
const interval = 4000
/** And so often a server that was silent: its people are back at work a moment after it is. */
const intervalWhileSilent = 2000
const intervalWhileLive = 30_000

/** Whether changes are heard as they happen. */
export const isLive = devicePart(() => observable(false))

/** I am no longer a member of the brand; `unsent`: how many changes can no longer be sent. */
export const brandLost = devicePart(() => emitter<{ brandId: string; unsent: number }>())

/** The brand demands a second factor, and this session has shown none; the brand's id. */
export const brandClosed = devicePart(() => emitter<string>())

interface Pulls {
  running: Promise<void> | null
  /** Somebody asked while it ran: one more follows. */
  again: boolean
  askedAt: number
  afterPause: Timer | undefined
}

const pulls = devicePart((): Pulls => ({ running: null, again: false, askedAt: 0, afterPause: undefined }))

/** Asks the server for what changed in the open brand. Resolves when it is here, or when no answer came. Calls meanwhile are one more. */
export function requestPull(device: Device): Promise<void> {
  const state = pulls(device)
  if (state.running) {
    state.again = true
    return state.running
  }
  state.running = run(device).finally(() => {
    state.running = null
  })
  return state.running
}

/** Pulls on focus, on reconnect and by the clock while the page is visible. Returns the function that stops it. */
export function startPulling(device: Device): () => void {
  const look = () => pullIfVisible(device)
  const timer = device.clock.setInterval(() => pullByTheClock(device), intervalWhileSilent)
  const events = ['focus', 'online', 'pageshow'] as const
  for (const event of events) globalThis.addEventListener?.(event, look)
  globalThis.document?.addEventListener('visibilitychange', look)
  const stopHearing = onTabMessage(device, (message) => {
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
    for (const event of events) globalThis.removeEventListener?.(event, look)
    globalThis.document?.removeEventListener('visibilitychange', look)
    stopHearing()
  }
}

function pullByTheClock(device: Device): void {
  const usual = isLive(device).get() ? intervalWhileLive : interval
  const since = device.clock.now() - pulls(device).askedAt
  // A clock that was put back must not keep it waiting.
  if (!reachable(device).get() || since > usual - intervalWhileSilent || since < 0) pullIfVisible(device)
}

function pullIfVisible(device: Device): void {
  if (globalThis.document?.visibilityState !== 'hidden') void requestPull(device)
}

async function run(device: Device): Promise<void> {
  do {
    pulls(device).again = false
    const data = openBrand(device).get()
    const { session } = sessionState(device).get()
    if (!data || session?.userId !== data.userId || session.expired || !data.loaded.get()) return
    if (serverPause(device) > 0) return pullAfterPause(device)
    pulls(device).askedAt = device.clock.now()
    await pullOnce(data)
  } while (pulls(device).again)
}

/** The server asked for a pause: nothing is asked of it before that is over. */
function pullAfterPause(device: Device): void {
  device.clock.clearTimeout(pulls(device).afterPause)
  pulls(device).afterPause = device.clock.setTimeout(() => pullIfVisible(device), serverPause(device))
}

async function pullOnce(data: BrandData): Promise<void> {
  try {
    // One tab at a time; another one that just pulled has left its cursor for this one.
    await withLock(data.device, `banyan-pull-${data.userId}-${data.brandId}`, async () => {
      const stored = isStoringRows(data.device)
        ? await localDatabase(data.device, data.userId).getState(data.brandId)
        : undefined
      if (stored && stored.cursor !== data.state.get().cursor) data.state.set(stored)
      await pullBrand(data)
    })
  } catch (error) {
    if (error instanceof RpcError && isRefusal(error, 'NOT_AUTHORIZED')) await lose(data.device, data)
    else if (error instanceof RpcError && isRefusal(error, 'SECOND_FACTOR_REQUIRED'))
      brandClosed(data.device).emit(data.brandId)
    else if (sessionState(data.device).get().session?.userId !== data.userId) return
    else if (!(error instanceof RpcError) || !error.isPassing) console.error('The changes could not be fetched.', error)
  } finally {
    data.answered.set(true)
  }
}

/** The server says that I am no longer a member: the brand's data is removed from this device (design 2.7). */
async function lose(device: Device, { userId, brandId }: BrandData): Promise<void> {
  brandLost(device).emit({ brandId, unsent: await wipeBrand(device, userId, brandId) })
}
