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
 * Expects that, after one more pull, a device has the same server rows as a new device that fetches everything. Checks nothing if the person is
 * signed out or has no brand open, or if the device has unsent operations. Skips tables that are not complete on both devices.
 */
export async function verifyAction(server: TestServer, { browser, tab, brandId }: Acme): Promise<void> {
  // Waiting operations would be sent while the rows are compared.
  if (tab.queue(tab.device).get().operations.length > 0) return
  browser.network.offline = false
  browser.network.judge = () => 'pass'
  tab.reachable(tab.device).set(true)
  await tab.requestPull(tab.device)
  const data = tab.openBrand(tab.device).get()
  const { session } = tab.sessionState(tab.device).get()
  if (!data || data.brandId !== brandId || !session || session.expired || data.state.get().cursor === null) return
  const newBrowser = fakeBrowser(server)
  const storedValues: Record<string, string> = {}
  for (const key of [sessionStorageKey, knownUserKey])
    storedValues[key] = (await keyValueStore(tab.device).get(key)) ?? ''
  const newTab = await newBrowser.openTab(storedValues)
  try {
    await newTab.chooseBrand(newTab.device, brandId)
    await vi.waitFor(() => expect(newTab.openBrand(newTab.device).get()?.firstPullEnded.get()).toBe(true), waitOptions)
    const newData = newTab.openBrand(newTab.device).get()
    if (!newData) return
    // Pulls on the test's device again, because rows may have changed while the new device fetched.
    await tab.requestPull(tab.device)
    for (const table of tableNames)
      if (isComplete(data.state.get(), table) && isComplete(newData.state.get(), table))
        expect({ table, rows: rowsOf(data, table) }).toEqual({ table, rows: rowsOf(newData, table) })
  } finally {
    newBrowser.close()
  }
}

function rowsOf(data: BrandData, table: TableName): Record<string, unknown>[] {
  const rows = data.tables[table]
  // Leaves `email_norm` out: a response to a write contains this derived column, a pull does not.
  return [...rows.serverIds()].toSorted().map((id) => ({ ...rows.serverRow(id), email_norm: null }))
}
