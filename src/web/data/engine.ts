import { type Device, devicePart } from '#web/data/browser/device.ts'
import { activeBrandState, markBrandClosed, markBrandLost, readActiveBrandId } from '#web/data/people/active-brand.ts'
import { loadMemberships, membershipsOf } from '#web/data/people/brands.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import { openBrandData } from '#web/data/store/open-brand-data.ts'
import { loadBrandData } from '#web/data/store/load-brand-data.ts'
import { pruneUnsent } from '#web/data/session/stored-user.ts'
import { startLive } from '#web/data/sync/live.ts'
import { closeLocalDatabase } from '#web/data/store/local-db.ts'
import { isOutOfDate } from '#web/data/store/out-of-date.ts'
import { closeOutboxDatabase } from '#web/data/store/outbox-db.ts'
import { closeQueue, openQueue } from '#web/data/store/queue.ts'
import { startSending } from '#web/data/changes/sender.ts'
import { openForThisSession } from '#web/data/people/brand-opening.ts'
import { serverPause } from '#web/data/server/network.ts'
import { membershipsChanged } from '#web/data/sync/pull-answer.ts'
import { startPresence } from '#web/data/sync/presence.ts'
import { secondFactorRequired, brandLost, startPulling } from '#web/data/sync/pull-schedule.ts'
import { sessionState } from '#web/data/session/session.ts'
import * as definitions from './definitions.ts'
import { untilPainted } from '#web/data/browser/yield-to-screen.ts'
import { afterStart } from '#web/lib/after-start.ts'

interface Engine {
  isStarted: boolean
  stopSending: (() => void) | null
  stopPulling: (() => void) | null
  userId: string | null
  /** The table whose list is on the screen when the page starts. */
  shown?: string | undefined
}

const engine = devicePart((): Engine => ({ isStarted: false, stopSending: null, stopPulling: null, userId: null }))

/** Opens and closes the queue and the brand when the user or the active brand changes. Call it once per tab. */
export function startEngine(device: Device): void {
  if (engine(device).isStarted) return
  engine(device).isStarted = true
  sessionState(device).subscribe(() => openActiveBrand(device))
  activeBrandState(device).subscribe(() => openActiveBrand(device))
  membershipsOf(device).subscribe(() => wipeBrandsWithoutMembership(device))
  membershipsChanged(device).subscribe(() => reloadMemberships(device))
  secondFactorRequired(device).subscribe((brandId) => markBrandClosed(device, brandId))
  brandLost(device).subscribe(({ brandId, unsent }) => {
    markBrandLost(device, brandId, unsent)
    void loadMemberships(device)
  })
  void readActiveBrandId(device).then(() => openActiveBrand(device))
}

/** Reloads the memberships, after the end of a pause if the server asks for one. The delay is harmless: no screen waits for the memberships. */
function reloadMemberships(device: Device): void {
  const wait = serverPause(device)
  if (wait > 0) device.clock.setTimeout(() => reloadMemberships(device), wait)
  else void loadMemberships(device)
}

/** Maximum time that `untilRowsRead` waits. */
const rowsTimeoutMs = 200

/**
 * Resolves when the rows that the page shows have been read from this device, or after `rowsTimeoutMs`. If the page shows a list of the table
 * `shown`, these are the rows of that list, otherwise the first look at the board or all rows. A page that is rendered afterwards usually needs no
 * placeholders.
 */
export function untilRowsRead(device: Device, shown?: string): Promise<void> {
  engine(device).shown = shown
  startEngine(device)
  return new Promise((resolve) => {
    const finish = () => {
      device.clock.clearTimeout(timer)
      for (const stop of stops) stop()
      resolve()
    }
    const timer = device.clock.setTimeout(finish, rowsTimeoutMs)
    const check = () => {
      const data = openBrand(device).get()
      if (!data) return
      const sources = [data.loaded, shown ? data.listRead : data.firstLook]
      if (sources.some((source) => source.get())) finish()
      else if (stops.length === 1) for (const source of sources) stops.push(source.subscribe(check))
    }
    const stops = [openBrand(device).subscribe(check)]
    check()
  })
}

/** Wipes the brands that the user was removed from. Does nothing until the server has returned the memberships. */
function wipeBrandsWithoutMembership(device: Device): void {
  const { userId, fresh, memberships } = membershipsOf(device).get()
  if (!fresh || !userId) return
  const brandIds = memberships.map(({ brandId }) => brandId)
  import('#web/data/store/wipe-lost-brands.ts').then(
    ({ wipeLostBrands }) => wipeLostBrands(device, userId, brandIds),
    // A later start tries again.
    (error: unknown) => console.warn('Lost brands could not be wiped.', error),
  )
}

/** Opens the active brand of the signed-in user, and closes the open brand before that, if it is another brand or was opened for another user. */
function openActiveBrand(device: Device): void {
  const userId = sessionState(device).get().session?.userId ?? null
  if (userId !== engine(device).userId) switchUser(device, userId)
  const { brandId, lost } = activeBrandState(device).get()
  const open = openBrand(device).get()
  if (open && (open.userId !== userId || (open.brandId !== brandId && !lost))) close(open)
  if (userId && brandId && !lost && !openBrand(device).get()) void openAndLoad(device, userId, brandId)
}

/** If the outbox could not be read, it is read again after this time (ms). */
const retryMs = 2000

function switchUser(device: Device, userId: string | null): void {
  const state = engine(device)
  state.stopSending?.()
  state.stopSending = null
  state.userId = userId
  if (!userId) {
    closeQueue(device)
    closeOutboxDatabase(device)
    closeLocalDatabase(device)
    return
  }
  openQueue(device, userId).then(
    () => {
      if (state.userId === userId) state.stopSending = startSending(device)
    },
    (error: unknown) => {
      console.warn('The outbox cannot be read.', error)
      device.clock.setTimeout(() => {
        if (state.userId !== userId || isOutOfDate(device)) return
        closeQueue(device)
        switchUser(device, userId)
      }, retryMs)
    },
  )
  void pruneUnsent(device, userId)
}

async function openAndLoad(device: Device, userId: string, brandId: string): Promise<void> {
  const data = openBrandData(device, userId, brandId, definitions)
  await loadBrandData(data, engine(device).shown)
  // Waits until the stored rows are painted, so that network work does not delay them. A null cursor means that no rows are stored.
  if (data.state.get().cursor !== null) await untilPainted()
  if (openBrand(device).get() !== data) return
  engine(device).stopPulling = startPulling(device)
  openForThisSession(data)
  startLive(data)
  startPresence(data)
  // The first look is stored on every page, not only on the board: each write of rows removes the stored first look, and the next start needs it.
  data.onClose(afterStart(async () => (await import('./store-first-look.ts')).storeFirstLook(data)))
}

function close(data: BrandData): void {
  engine(data.device).stopPulling?.()
  engine(data.device).stopPulling = null
  data.close()
}
