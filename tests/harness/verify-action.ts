import { expect, vi } from 'vitest'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { knownUserKey, sessionStorageKey } from '#web/data/server/session-token.ts'
import { type TableName, tableNames } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { isComplete } from '#web/data/store/brand-state.ts'
import { type Acme, waitOptions } from './acme.ts'
import { fakeBrowser } from './fake-browser.ts'
import type { TestServer } from './server.ts'

/**
 * After whatever a test did: what a device holds of the server's rows, and one more pull, are what a new device fetches. Says nothing of a
 * person who is signed out or without a brand, of a device with unsent changes, and of tables that one of the two does not hold whole.
 */
export async function verifyAction(server: TestServer, { browser, tab, brandId }: Acme): Promise<void> {
  // What still waits would be sent while the rows are compared.
  if (tab.queue(tab.device).get().operations.length > 0) return
  browser.network.offline = false
  browser.network.judge = () => 'pass'
  tab.reachable(tab.device).set(true)
  await tab.requestPull(tab.device)
  const data = tab.openBrand(tab.device).get()
  const { session } = tab.sessionState(tab.device).get()
  if (!data || data.brandId !== brandId || !session || session.expired || data.state.get().cursor === null) return
  const other = fakeBrowser(server)
  const stored: Record<string, string> = {}
  for (const key of [sessionStorageKey, knownUserKey]) stored[key] = (await keyValueStore(tab.device).get(key)) ?? ''
  const fresh = await other.openTab(stored)
  try {
    await fresh.chooseBrand(fresh.device, brandId)
    await vi.waitFor(() => expect(fresh.openBrand(fresh.device).get()?.answered.get()).toBe(true), waitOptions)
    const whole = fresh.openBrand(fresh.device).get()
    if (!whole) return
    // The test's device once more: something may have changed while the new one fetched.
    await tab.requestPull(tab.device)
    for (const table of tableNames)
      if (isComplete(data.state.get(), table) && isComplete(whole.state.get(), table))
        expect({ table, rows: rowsOf(data, table) }).toEqual({ table, rows: rowsOf(whole, table) })
  } finally {
    other.close()
  }
}

function rowsOf(data: BrandData, table: TableName): Record<string, unknown>[] {
  const rows = data.tables[table]
  // Answers to a write have the derived column, `pull` leaves it out.
  return [...rows.serverIds()].toSorted().map((id) => ({ ...rows.onServer(id), email_norm: null }))
}
