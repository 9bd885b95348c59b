import ws from 'ws'
import { openDevice, type Device } from '#web/data/browser/device.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import type { Surroundings } from '#web/data/browser/surroundings.ts'
import * as productDefinitions from '#web/data/definitions.ts'
import { sessionStorageKey } from '#web/data/server/session-token.ts'
import { type AnyRow, type TableName, tableNames } from '#web/data/server/tables.ts'
import { sessionState } from '#web/data/session/session.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { openBrandData } from '#web/data/store/open-brand-data.ts'
import { collectionOf, type TableDefinitions } from '#web/data/store/definition.ts'
import { openQueue } from '#web/data/store/queue.ts'
import type { Mode } from '#web/data/store/modes.ts'
import { browserDatabase } from './browser-database.ts'
import { PreparedNetwork } from './prepared-network.ts'
import { SimClock } from './simulation/sim-clock.ts'

/**
 * A tab of a person in an open brand, without a server. The test advances the clock and sets the responses of the network. Everything else is
 * real: the local database, the outbox, the official client.
 */
export interface LoneTab {
  device: Device
  data: BrandData
  clock: SimClock
  network: PreparedNetwork
}

/** The time of a lone tab's clock when the tab is opened. */
export const clockStart = '2026-11-20T09:30:00.000+00:00'

/** The ids of two people and of their brand. */
export const [ana, bo, acme] = [
  '00000000-0000-4000-8000-00000000a11a',
  '00000000-0000-4000-8000-0000000000b0',
  '00000000-0000-4000-8000-00000000ac3e',
]

/**
 * Opens Ana's tab in Acme, signed in, with an empty outbox. All tables have been read from the local database. All are complete, except those in
 * `windowed`. `further` replaces some of the device's surroundings.
 */
export async function openLoneTab({
  windowed = [],
  definitions = productDefinitions,
  ...further
}: Partial<Surroundings> & { windowed?: readonly TableName[]; definitions?: TableDefinitions } = {}): Promise<LoneTab> {
  // The official client needs a WebSocket class when it is created.
  Object.assign(globalThis, { WebSocket: ws })
  const [clock, network] = [new SimClock(Date.parse(clockStart)), new PreparedNetwork()]
  const device = openDevice({
    fetch: network.fetch,
    indexedDB: browserDatabase(),
    locks: undefined,
    openChannel: undefined,
    WebSocket: undefined,
    clock,
    tabStorage: undefined,
    readBackend: () => ({ url: 'http://acme.test', publishableKey: 'public' }),
    ...further,
  })
  // Loads the modules of the first request in advance, because `untilIdle` does not wait until files are loaded.
  await import('#web/data/server/client.ts')
  await import('#web/data/store/other-tabs.ts')
  if (further.WebSocket) await import('@supabase/realtime-js')
  await signInto(device, ana)
  await openQueue(device, ana)
  const data = openBrandData(device, ana, acme, definitions)
  await data.stateKnown
  setModes(data, windowed)
  for (const table of tableNames) await collectionOf(data, table).endReading(async () => {})
  data.writes.begin(0)
  data.loaded.set(true)
  data.firstPullEnded.set(true)
  return { device, data, clock, network }
}

/** Opens a brand on the device of a tab: the same brand, as after it was closed, or another one. Its tables are empty until the test fills them. */
export function openAgain({ device }: LoneTab, brandId = acme): BrandData {
  return openBrandData(device, ana, brandId, productDefinitions)
}

/**
 * Runs all pending work of the tab, except its timers: reads and writes of the local database, and responses of the network. `turns`: the number of
 * turns of the event loop to wait.
 */
export async function untilIdle(turns = 100): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Stores the session of a person in a device, as after a sign-in. */
async function signInto(device: Device, userId: string): Promise<void> {
  const session = storedSession(userId)
  await keyValueStore(device).set(sessionStorageKey, JSON.stringify(session))
  sessionState(device).set({ ready: true, session: { userId, email: session.user.email, expired: false } })
}

/** Returns a session as the official client stores it. `signature`: makes its access token differ from other ones. */
export function storedSession(userId: string, signature = 'x') {
  const claims = Buffer.from(JSON.stringify({ sub: userId, aal: 'aal1' })).toString('base64url')
  return {
    access_token: `e30.${claims}.${signature}`,
    refresh_token: 'r',
    token_type: 'bearer',
    expires_in: 3600,
    expires_at: 9_999_999_999,
    user: { id: userId, email: 'ana@acme.test' },
  }
}

/** Makes these tables windowed, and all others complete, as after a pull with cursor '1' in epoch 'e'. */
export function setModes(data: BrandData, windowed: readonly TableName[]): void {
  const modeOf = (table: TableName): { mode: Mode; complete: boolean } =>
    windowed.includes(table) ? { mode: 'windowed', complete: false } : { mode: 'complete', complete: true }
  const tables = Object.fromEntries(tableNames.map((table) => [table, modeOf(table)]))
  data.state.set({ ...data.state.get(), cursor: '1', epoch: 'e', tables })
}

type RowParts = { id: string } & Record<string, unknown>

/** Returns a row as the server sends it, with the columns that all rows have. */
export function serverRow<Parts extends RowParts>(
  parts: Parts,
): AnyRow & { created_at: string } & Parts & Record<string, unknown> {
  const time = '2026-11-01T09:00:00+00:00'
  return { brand_id: acme, rev: 1, version: 1, created_at: time, updated_at: time, updated_by: null, ...parts }
}

/** Writes rows to the memory of a tab, as a pull does. */
export function putRows(data: BrandData, table: TableName, ...rows: readonly RowParts[]): void {
  collectionOf(data, table).write(rows.map(serverRow))
}
