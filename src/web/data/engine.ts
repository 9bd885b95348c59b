import { activeBrandState, markBrandClosed, markBrandLost, readActiveBrandId } from '#web/data/people/active-brand.ts'
import { loadMemberships, membershipsOf } from '#web/data/people/brands.ts'
import { type BrandData, loadBrandData, openBrand, openBrandData } from '#web/data/store/brand-data.ts'
import { pruneForgotten } from '#web/data/session/device.ts'
import { startLive } from '#web/data/sync/live.ts'
import { closeLocalDatabase } from '#web/data/store/local-db.ts'
import { closeOutboxDatabase } from '#web/data/store/outbox-db.ts'
import { closeQueue, openQueue } from '#web/data/store/queue.ts'
import { startSending } from '#web/data/changes/sender.ts'
import { keepOpened } from '#web/data/people/brand-opening.ts'
import { membershipsChanged } from '#web/data/sync/pull.ts'
import { startPresence } from '#web/data/sync/presence.ts'
import { brandClosed, brandLost, startPulling } from '#web/data/sync/pull-schedule.ts'
import { sessionState } from '#web/data/session/session.ts'
import { wipeLostBrands } from '#web/data/store/wipe-brand.ts'
import type { TableDefinitions } from '#web/data/store/definition.ts'
import { companyDefinition } from './companies.ts'
import { contactDefinition } from './contacts.ts'
import { stageDefinition } from './deal-stages.ts'
import { dealDefinition } from './deals.ts'
import { taskDefinition } from './tasks.ts'
import { letScreenPaint } from '#web/data/browser/yield-to-screen.ts'

/** How each table is searched and ordered. */
const definitions: TableDefinitions = {
  deal_stages: stageDefinition,
  memberships: { orders: {} },
  tasks: taskDefinition,
  deals: dealDefinition,
  companies: companyDefinition,
  contacts: contactDefinition,
}

let started = false
let stopSending: (() => void) | null = null
let stopPulling: (() => void) | null = null
let sendingFor: string | null = null

/** Follows who is signed in and which brand is active; opens and closes what belongs to them. Once a tab. */
export function startEngine(): void {
  if (started) return
  started = true
  sessionState.subscribe(follow)
  activeBrandState.subscribe(follow)
  membershipsOf.subscribe(wipeOthers)
  membershipsChanged.subscribe(() => void loadMemberships())
  brandClosed.subscribe(markBrandClosed)
  brandLost.subscribe(({ brandId, unsent }) => {
    markBrandLost(brandId, unsent)
    void loadMemberships()
  })
  void readActiveBrandId().then(follow)
}

/** What is read from this device later than this, in milliseconds, is not waited for. */
const rowsTimeoutMs = 200

/**
 * Resolves when the rows of the active brand have been read from this device, or are not worth waiting for: a page that is drawn after it
 * draws it once, without placeholders first.
 */
export function untilRowsRead(): Promise<void> {
  startEngine()
  return new Promise((resolve) => {
    const stops = [openBrand.subscribe(() => hearLoaded())]
    const end = () => {
      clearTimeout(timer)
      for (const stop of stops) stop()
      resolve()
    }
    const timer = setTimeout(end, rowsTimeoutMs)
    const hearLoaded = () => {
      const loaded = openBrand.get()?.loaded
      if (loaded?.get()) return end()
      if (loaded) stops.push(loaded.subscribe(() => loaded.get() && end()))
    }
    hearLoaded()
  })
}

/** Removes the data of brands that I am no longer a member of, once the server has said which are mine. */
function wipeOthers(): void {
  const { userId, fresh, memberships } = membershipsOf.get()
  if (fresh && userId)
    void wipeLostBrands(
      userId,
      memberships.map(({ brandId }) => brandId),
    )
}

function follow(): void {
  const userId = sessionState.get().session?.userId ?? null
  if (userId !== sendingFor) followUser(userId)
  const brandId = userId && !activeBrandState.get().lost ? activeBrandState.get().brandId : null
  const open = openBrand.get()
  if (open && (open.userId !== userId || (open.brandId !== brandId && !activeBrandState.get().lost))) close(open)
  if (userId && brandId && !openBrand.get()) void openAndLoad(userId, brandId)
}

function followUser(userId: string | null): void {
  stopSending?.()
  stopSending = null
  sendingFor = userId
  if (!userId) {
    closeQueue()
    closeOutboxDatabase()
    closeLocalDatabase()
    return
  }
  openQueue(userId)
    .then(() => {
      if (sendingFor === userId) stopSending = startSending()
    })
    .catch((error: unknown) => console.warn('What waits on this device cannot be read.', error))
  void pruneForgotten(userId)
}

async function openAndLoad(userId: string, brandId: string): Promise<void> {
  const data = openBrandData(userId, brandId, definitions)
  await loadBrandData(data)
  // Where this device knows nothing of the brand there is nothing to paint before the server is asked.
  if (data.state.get().cursor !== null) await letScreenPaint()
  if (openBrand.get() !== data) return
  stopPulling = startPulling()
  keepOpened(data)
  startLive(data)
  startPresence(data)
}

function close(data: BrandData): void {
  stopPulling?.()
  stopPulling = null
  data.close()
}
