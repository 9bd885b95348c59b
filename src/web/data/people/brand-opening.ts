import { type Device, useDevice } from '#web/data/browser/device.ts'
import { devicePart } from '#web/data/browser/device.ts'
import { askServer } from '#web/data/server/ask-server.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { loadMemberships } from './brands.ts'
import { userValueKey } from '#web/data/session/stored-user.ts'
import { caughtUp } from '#web/data/sync/freshness.ts'
import { hasOpened } from '#web/data/sync/presence.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { observable, useObservable } from '#web/lib/observable.ts'
import { changeOnline } from '#web/data/session/online-only.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { sessionIdOf, sessionStorageKey, type StoredSession } from '#web/data/server/session-token.ts'

/**
 * A brand that somebody added me to shows its owners nothing of my account, and colleagues nothing of my presence, before I open it by a
 * click. From then on each further session of mine opens it by itself (RPC open_brand), so that its audit log tells of that session.
 */

/** How often this page has opened a brand for its session. */
const openings = devicePart(() => observable(0))

/** Changes when this session has opened the active brand: the brand's audit log tells of the session from then on. */
export function useOpenings(): number {
  const device = useDevice()
  return useObservable(openings(device))
}

/** Opens a brand that somebody added me to; online only, never 'queued'. */
export async function openAddedBrand(device: Device, brandId: string): Promise<Outcome> {
  const args = { p_brand_id: brandId }
  const outcome = await changeOnline(device, brandId, (server) => server.rpc('open_brand', args), 'call')
  if (outcome.status === 'saved') await loadMemberships(device)
  return outcome
}

/** Opens the active brand for this session, if I have opened it before; until the brand is closed. */
export function keepOpened(data: BrandData): void {
  const { memberships } = data.tables
  let asked = false
  const look = () => {
    // What this device remembers may be older than my being removed and added anew.
    if (caughtUp(data.device).get() !== data) return
    const mine = memberships.onServer(data.userId)
    hasOpened(data.device).set(mine !== undefined && mine.opened_at !== null)
    if (!hasOpened(data.device).get() || asked) return
    asked = true
    openForSession(data.device, data).catch((error: unknown) =>
      console.warn('This session could not open its brand.', error),
    )
  }
  const stops = [memberships.subscribe(look), caughtUp(data.device).subscribe(look)]
  data.onClose(() => {
    for (const stop of stops) stop()
    hasOpened(data.device).set(false)
  })
  look()
}

/** Once a session and brand. */
async function openForSession(device: Device, { userId, brandId }: BrandData): Promise<void> {
  const session = await keyValueStore(device).get(sessionStorageKey)
  const sessionId = session && sessionIdOf((JSON.parse(session) as StoredSession).access_token)
  const key = userValueKey(userId, `opened:${brandId}`)
  if (!sessionId || (await keyValueStore(device).get(key)) === sessionId) return
  const { error } = await askServer(device, (server) => server.rpc('open_brand', { p_brand_id: brandId }), userId)
  // PostgREST's code for a function that is not there: a backend that knows no opening.
  if (!error || error.code === 'PGRST202') await keyValueStore(device).set(key, sessionId)
  if (!error) openings(device).set(openings(device).get() + 1)
}
