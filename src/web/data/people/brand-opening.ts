import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import { askServer } from '#web/data/server/ask-server.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { loadMemberships } from './brands.ts'
import { userValueKey } from '#web/data/session/stored-user.ts'
import { caughtUpBrand } from '#web/data/sync/change-arrival.ts'
import { hasOpened } from '#web/data/sync/presence.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { observable, useObservable } from '#web/lib/observable.ts'
import { changeOnline } from '#web/data/session/online-only.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { sessionIdOf } from '#web/data/server/session-token.ts'
import { readStoredSession } from '#web/data/server/stored-session.ts'

/**
 * A user whom somebody else added to a brand opens the brand by a click. Before that, owners do not see the user's account, and colleagues do not
 * see the user's presence. After that, each new session of the user opens the brand automatically (RPC open_brand), so that the brand's audit log
 * contains the session.
 */

/** The number of times that this page has opened a brand for the session. */
const openings = devicePart(() => observable(0))

/** Returns a number that changes when this page has opened a brand for the session. From then on the brand's audit log contains the session. */
export function useOpenings(): number {
  const device = useDevice()
  return useObservable(openings(device))
}

/** Opens a brand that somebody else added the user to. Works only online, so the outcome is never 'queued'. */
export async function openAddedBrand(device: Device, brandId: string): Promise<Outcome> {
  const args = { p_brand_id: brandId }
  const outcome = await changeOnline(device, brandId, (server) => server.rpc('open_brand', args), 'call')
  if (outcome.status === 'saved') await loadMemberships(device)
  return outcome
}

/** Opens a brand for this session if the user has opened it before. Watches the membership until the brand is closed. */
export function openForThisSession(data: BrandData): void {
  const { memberships } = data.tables
  let isRequested = false
  const check = () => {
    // Before this tab has pulled all changes, the membership on this device may be out of date: the user may have been removed and added again.
    if (caughtUpBrand(data.device).get() !== data) return
    const mine = memberships.serverRow(data.userId)
    hasOpened(data.device).set(mine !== undefined && mine.opened_at !== null)
    if (!hasOpened(data.device).get() || isRequested) return
    isRequested = true
    sendOpening(data.device, data).catch((error: unknown) =>
      console.warn('This session could not open its brand.', error),
    )
  }
  const stops = [memberships.subscribe(check), caughtUpBrand(data.device).subscribe(check)]
  data.onClose(() => {
    for (const stop of stops) stop()
    hasOpened(data.device).set(false)
  })
  check()
}

/** Sends `open_brand` once per session and brand. */
async function sendOpening(device: Device, { userId, brandId }: BrandData): Promise<void> {
  const session = await readStoredSession(device)
  const sessionId = session && sessionIdOf(session.access_token)
  const key = userValueKey(userId, `opened:${brandId}`)
  if (!sessionId || (await keyValueStore(device).get(key)) === sessionId) return
  const { error } = await askServer(device, (server) => server.rpc('open_brand', { p_brand_id: brandId }), userId)
  // PGRST202: a backend without this function.
  if (!error || error.code === 'PGRST202') await keyValueStore(device).remember(key, sessionId)
  if (!error) openings(device).set(openings(device).get() + 1)
}
