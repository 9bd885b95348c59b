import { emitter } from '#web/lib/emitter.ts'
import { operationsSent } from '#web/data/changes/sender.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import { observable } from '#web/lib/observable.ts'
import { localDatabase } from '#web/data/store/local-db.ts'
import { withLock } from '#web/data/browser/lock.ts'
import { reachable, serverPause } from '#web/data/server/network.ts'
import { pullBrand } from './pull.ts'
import { renewals, RpcError } from '#web/data/server/rpc.ts'
import { sessionState } from '#web/data/session/session.ts'
import { keepsRows } from '#web/data/store/store-rows.ts'
import { onTabMessage } from '#web/data/browser/tab-channel.ts'
import { forgetInMemory, wipeBrand } from '#web/data/store/wipe-brand.ts'

/** A visible page asks this often where live events do not reach it, and now and then where they do. Milliseconds. */
const interval = 4000
/** And so often a server that was silent: its people are back at work a moment after it is. */
const intervalWhileSilent = 2000
const intervalWhileLive = 30_000

/** Whether changes are heard as they happen. */
export const isLive = observable(false)

/** I am no longer a member of the brand; `unsent`: how many changes can no longer be sent. */
export const brandLost = emitter<{ brandId: string; unsent: number }>()

/** The brand demands a second factor, and this session has shown none; the brand's id. */
export const brandClosed = emitter<string>()

let running: Promise<void> | null = null
let again = false
let askedAt = 0
let afterPause: ReturnType<typeof setTimeout> | undefined

/** Asks the server for what changed in the open brand. Resolves when it is here, or when no answer came. Calls meanwhile are one more. */
export function requestPull(): Promise<void> {
  if (running) {
    again = true
    return running
  }
  running = run().finally(() => {
    running = null
  })
  return running
}

/** Pulls on focus, on reconnect and by the clock while the page is visible. Returns the function that stops it. */
export function startPulling(): () => void {
  const timer = setInterval(pullByTheClock, intervalWhileSilent)
  ;(timer as { unref?: () => void }).unref?.()
  const events = ['focus', 'online', 'pageshow'] as const
  for (const event of events) globalThis.addEventListener?.(event, pullIfVisible)
  globalThis.document?.addEventListener('visibilitychange', pullIfVisible)
  const stopHearing = onTabMessage((message) => {
    if (message.type !== 'brand-lost' || message.brandId !== openBrand.get()?.brandId) return
    forgetInMemory(message.userId, message.brandId)
    brandLost.emit({ brandId: message.brandId, unsent: 0 })
  })
  pullIfVisible()
  return () => {
    clearInterval(timer)
    for (const event of events) globalThis.removeEventListener?.(event, pullIfVisible)
    globalThis.document?.removeEventListener('visibilitychange', pullIfVisible)
    stopHearing()
  }
}

function pullByTheClock(): void {
  const usual = isLive.get() ? intervalWhileLive : interval
  const since = Date.now() - askedAt
  // A clock that was put back must not keep it waiting.
  if (!reachable.get() || since > usual - intervalWhileSilent || since < 0) pullIfVisible()
}

function pullIfVisible(): void {
  if (globalThis.document?.visibilityState !== 'hidden') void requestPull()
}

async function run(): Promise<void> {
  do {
    again = false
    const data = openBrand.get()
    const { session } = sessionState.get()
    if (!data || session?.userId !== data.userId || session.expired || !data.loaded.get()) return
    if (serverPause() > 0) return pullAfterPause()
    askedAt = Date.now()
    await pullOnce(data)
  } while (again)
}

/** The server asked for a pause: nothing is asked of it before that is over. */
function pullAfterPause(): void {
  clearTimeout(afterPause)
  afterPause = setTimeout(pullIfVisible, serverPause())
  ;(afterPause as { unref?: () => void }).unref?.()
}

async function pullOnce(data: BrandData): Promise<void> {
  try {
    // One tab at a time; another one that just pulled has left its cursor for this one.
    await withLock(`banyan-pull-${data.userId}-${data.brandId}`, async () => {
      const stored = keepsRows() ? await localDatabase(data.userId).getState(data.brandId) : undefined
      if (stored && stored.cursor !== data.state.get().cursor) data.state.set(stored)
      await pullBrand(data)
    })
  } catch (error) {
    if (error instanceof RpcError && error.message === 'NOT_AUTHORIZED') await lose(data)
    else if (error instanceof RpcError && error.message === 'SECOND_FACTOR_REQUIRED') brandClosed.emit(data.brandId)
    else if (sessionState.get().session?.userId !== data.userId) return
    else if (!(error instanceof RpcError) || !error.isPassing) console.error('The changes could not be fetched.', error)
  } finally {
    data.answered.set(true)
  }
}

/** The server says that I am no longer a member: the brand's data is removed from this device (design 2.7). */
async function lose({ userId, brandId }: BrandData): Promise<void> {
  brandLost.emit({ brandId, unsent: await wipeBrand(userId, brandId) })
}

reachable.subscribe(() => {
  if (reachable.get()) void requestPull()
})
renewals.subscribe(() => void requestPull())
operationsSent.subscribe(() => void requestPull())
