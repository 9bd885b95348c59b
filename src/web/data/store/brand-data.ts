import { useDevice } from '#web/data/browser/device.ts'
import { type Device, devicePart } from '#web/data/browser/device.ts'
import { Parts } from '#web/data/browser/parts.ts'
import { type BrandState, newBrandState } from './brand-state.ts'
import { Collection } from './collection.ts'
import { type Observable, observable, useObservable } from '#web/lib/observable.ts'
import { localDatabase } from './local-db.ts'
import { byRow } from './overlay.ts'
import { queue } from './queue.ts'
import { type BrandTables, rowsOfTable, type TableDefinitions } from './definition.ts'
import { emitter } from '#web/lib/emitter.ts'
import { onTabMessage, type TabMessage } from '#web/data/browser/tab-channel.ts'
import { type AnyRow, type TableName, tableNames } from '#web/data/server/tables.ts'
import { yieldToScreen } from '#web/data/browser/yield-to-screen.ts'

/** Rows read from the local database in one go: about 5 ms of work. */
const slice = 400

/** One brand of one user in the memory of this tab. */
export interface BrandData extends BrandTables {
  readonly device: Device
  readonly parts: Parts<BrandData>
  readonly userId: string
  readonly brandId: string
  readonly state: Observable<BrandState>
  /** Resolves when `state` is what this device knew, before the rows are read. */
  readonly stateKnown: Promise<void>
  /** The local database has been read. */
  readonly loaded: Observable<boolean>
  /** The server has answered once since the page was opened, or did not: what is here is what there is for now. */
  readonly answered: Observable<boolean>
  /** How its tables are searched and ordered. */
  readonly definitions: TableDefinitions
  /**
   * Ids that were deleted on the server a moment ago, with the version that we held (0: none): an answer that was on its way then does
   * not bring them back.
   */
  readonly gone: Map<string, number>
  /** Ids that were restored here, with the time (`performance.now()`): an answer asked for before it may still call them deleted. */
  readonly back: Map<string, number>
  /** Marks what the server answered from a table as stale: rows of it changed that may not be here. */
  invalidate(table: TableName): void
  /** Calls the listener whenever a table is marked so. Returns the function that stops it. */
  onInvalidate(listener: (table: TableName) => void): () => void
  /** Runs when the brand is closed. */
  onClose(stop: () => void): void
  close(): void
}

/** The brand that this tab shows. */
export const openBrand = devicePart(() => observable<BrandData | null>(null))

/** The same for components; null while no brand is open. */
export function useBrandData(): BrandData | null {
  const device = useDevice()
  return useObservable(openBrand(device))
}

/** Opens a brand: empty at once, then filled from the local database in slices that let the page breathe. */
export function openBrandData(
  device: Device,
  userId: string,
  brandId: string,
  definitions: TableDefinitions,
): BrandData {
  const tables = Object.fromEntries(
    tableNames.map((table) => [table, new Collection()]),
  ) as unknown as BrandData['tables']
  const stops: (() => void)[] = []
  const invalidated = emitter<TableName>()
  const state = observable(newBrandState(brandId))
  const stateKnown = localDatabase(device, userId)
    .getState(brandId)
    .then((known) => known && state.set(known))
    .catch((error: unknown) => console.warn('The local database cannot be read.', error))
  const data: BrandData = {
    device,
    parts: new Parts(),
    userId,
    brandId,
    tables,
    state,
    stateKnown: stateKnown.then(() => {}),
    loaded: observable(false),
    answered: observable(false),
    definitions,
    gone: new Map(),
    back: new Map(),
    invalidate: invalidated.emit,
    onInvalidate: invalidated.subscribe,
    onClose: (stop) => void stops.push(stop),
    close: () => {
      for (const stop of stops) stop()
      if (openBrand(device).get() === data) openBrand(device).set(null)
    },
  }
  const lay = () => {
    const { operations } = queue(device).get()
    for (const table of tableNames) tables[table].overlay(byRow(operations, brandId, table))
  }
  lay()
  stops.push(
    queue(device).subscribe(lay),
    onTabMessage(device, (message) => void follow(data, message).catch(ifStillOpen)),
  )
  openBrand(device).set(data)
  return data
}

/** Fills a brand that was just opened. */
export async function loadBrandData(data: BrandData): Promise<void> {
  await data.stateKnown
  try {
    await Promise.all(tableNames.map((table) => loadTable(data, table)))
  } catch (error) {
    console.warn('The local database cannot be read; this page goes on with what the server has.', error)
    data.state.set(newBrandState(data.brandId))
  }
  data.loaded.set(true)
}

async function loadTable(data: BrandData, table: TableName): Promise<void> {
  const database = localDatabase(data.device, data.userId)
  const collection = rowsOfTable(data, table)
  let after = ''
  for (;;) {
    const page = await database.readRows(table, data.brandId, after, slice)
    // What came from the server while this was reading is newer.
    collection.write(page.filter((row) => row.version > (collection.onServer(row.id)?.version ?? -1)))
    if (page.length < slice) break
    after = page.at(-1)?.id ?? ''
    await yieldToScreen()
  }
  collection.loaded = true
}

/** A local database that was closed meanwhile (another user, sign-out) has nothing to say any more. */
function ifStillOpen(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'DatabaseClosedError') throw error
}

/** Takes over what another tab wrote into the local database. */
async function follow(data: BrandData, message: TabMessage): Promise<void> {
  if (!('brandId' in message) || message.brandId !== data.brandId || message.userId !== data.userId) return
  const database = localDatabase(data.device, data.userId)
  if (message.type === 'rows') {
    const table = message.table as TableName
    const found = await database.getRows(table, data.brandId, message.ids)
    const collection = rowsOfTable(data, table)
    const rows = found.filter((row): row is AnyRow => row !== undefined)
    collection.write(
      rows,
      message.ids.filter((_, index) => !found[index]),
    )
  } else if (message.type === 'brand-state') {
    const state = await database.getState(data.brandId)
    const before = data.state.get()
    if (state) data.state.set(state)
    data.answered.set(true)
    if (state?.cursor === before.cursor) return
    for (const table of tableNames) data.invalidate(table)
  }
}
