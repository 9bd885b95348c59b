import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import { Parts } from '#web/data/browser/parts.ts'
import { type BrandState, newBrandState } from './brand-state.ts'
import { Collection } from './collection.ts'
import { lookTables, type ShownLook, WriteCount } from './first-look.ts'
import { type Observable, observable, useObservable } from '#web/lib/observable.ts'
import { localDatabase } from './local-db.ts'
import { operationsByRow } from './preview.ts'
import { queue } from './queue.ts'
import { type BrandTables, collectionOf, type TableDefinitions } from './definition.ts'
import { emitter } from '#web/lib/emitter.ts'
import { onTabMessage, type TabMessage } from '#web/data/browser/tab-channel.ts'
import { type AnyRow, isTableName, type TableName, tableNames } from '#web/data/server/tables.ts'

/** The data of one brand, as one user sees it, in the memory of this tab. */
export interface BrandData extends BrandTables {
  readonly device: Device
  readonly parts: Parts<BrandData>
  readonly userId: string
  readonly brandId: string
  readonly state: Observable<BrandState>
  /** Resolves when `state` has been read from the local database, or cannot be read. The rows are read later. */
  readonly stateKnown: Promise<void>
  /** Whether the brand's rows have been read from the local database. Also true if they cannot be read. */
  readonly loaded: Observable<boolean>
  /**
   * The table whose list is on the screen, once the rows that this list shows have been read. They are read before all other rows. Null
   * before that, and if the screen shows no such list.
   */
  readonly listRead: Observable<string | null>
  /** The first look that is shown while the rows are read. Null if there is none, if it cannot show a change, or when the rows have been read. */
  readonly firstLook: Observable<ShownLook | null>
  /** Counts the writes to the local database whose rows this tab has in memory. */
  readonly writes: WriteCount
  /**
   * Whether the first pull of this tab has ended, with or without an answer. Also true when another tab has stored the state that its pull
   * received. Until then more rows may arrive soon.
   */
  readonly firstPullEnded: Observable<boolean>
  /** How the tables are searched and ordered. */
  readonly definitions: TableDefinitions
  /**
   * The ids of rows that were deleted on the server, by this device or by another. Each has the version in which the row was deleted or, if
   * that is not known, the version that this device had of the row (0 if it had none). An answer that is older than the deletion must not
   * store these rows again (`withoutDeleted`).
   */
  readonly recentlyDeleted: Map<string, number>
  /** Marks the server's answers about a table as stale. Call it when rows of the table have changed that may not be on this device. */
  invalidate(table: TableName): void
  /** Calls the listener each time `invalidate` is called. Returns the function that unsubscribes. */
  onInvalidate(listener: (table: TableName) => void): () => void
  /** Registers a function that runs when the brand is closed. */
  onClose(stop: () => void): void
  close(): void
}

/** The brand that this tab shows. */
export const openBrand = devicePart(() => observable<BrandData | null>(null))

/** Returns the open brand for a component. Null while no brand is open. */
export function useBrandData(): BrandData | null {
  const device = useDevice()
  return useObservable(openBrand(device))
}

/** Opens a brand with empty tables. `loadBrandData` then reads its rows. */
export function openBrandData(
  device: Device,
  userId: string,
  brandId: string,
  definitions: TableDefinitions,
): BrandData {
  const tables: BrandData['tables'] = {
    pipelines: new Collection(),
    deal_stages: new Collection(),
    tags: new Collection(),
    memberships: new Collection(),
    tasks: new Collection(),
    notes: new Collection(),
    deals: new Collection(),
    companies: new Collection(),
    contacts: new Collection(),
    deal_contacts: new Collection(),
    custom_fields: new Collection(),
  }
  const stops: (() => void)[] = []
  const invalidated = emitter<TableName>()
  const state = observable(newBrandState(brandId))
  const stateKnown = localDatabase(device, userId)
    .getState(brandId)
    .then((stored) => stored && state.set(stored))
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
    listRead: observable<string | null>(null),
    firstLook: observable<ShownLook | null>(null),
    writes: new WriteCount(),
    firstPullEnded: observable(false),
    definitions,
    recentlyDeleted: new Map(),
    invalidate: invalidated.emit,
    onInvalidate: invalidated.subscribe,
    onClose: (stop) => void stops.push(stop),
    close: () => {
      for (const stop of stops) stop()
      if (openBrand(device).get() === data) openBrand(device).set(null)
    },
  }
  const applyOperations = () => {
    const { operations } = queue(device).get()
    for (const table of tableNames) tables[table].setOperations(operationsByRow(operations, brandId, table))
    for (const table of lookTables) recordLookChanges(data, table, [...tables[table].waitingIds()])
  }
  applyOperations()
  stops.push(
    queue(device).subscribe(applyOperations),
    onTabMessage(device, (message) => void applyTabMessage(data, message).catch(throwUnlessClosed)),
  )
  openBrand(device).set(data)
  return data
}

/** Records that a row was deleted on the server. `version`: its last version, if it is known. */
export function recordDeletion({ recentlyDeleted }: Pick<BrandData, 'recentlyDeleted'>, id: string, version = 0): void {
  recentlyDeleted.set(id, Math.max(version, recentlyDeleted.get(id) ?? 0))
}

/**
 * Returns the rows of an answer without those that are not newer than their deletion in `recentlyDeleted`. A newer one was restored since: this
 * function removes it from `recentlyDeleted`.
 */
export function withoutDeleted<Row extends AnyRow>(
  { recentlyDeleted }: Pick<BrandData, 'recentlyDeleted'>,
  rows: readonly Row[],
): readonly Row[] {
  if (recentlyDeleted.size === 0) return rows
  return rows.filter(({ id, version }) => {
    if (version <= (recentlyDeleted.get(id) ?? -1)) return false
    recentlyDeleted.delete(id)
    return true
  })
}

/** Records changes of rows in the first look that is on screen. Removes the first look if it cannot show them. */
export function recordLookChanges(data: BrandData, table: (typeof lookTables)[number], ids: readonly string[]): void {
  if (data.firstLook.get()?.recordChanges(table, ids) === false) data.firstLook.set(null)
}

/** Throws the error again, unless it is a DatabaseClosedError: the local database was closed meanwhile (another user, sign-out). */
function throwUnlessClosed(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'DatabaseClosedError') throw error
}

/** Reads the rows, or the state, that another tab has just written to the local database. */
async function applyTabMessage(data: BrandData, message: TabMessage): Promise<void> {
  if (!('brandId' in message) || message.brandId !== data.brandId || message.userId !== data.userId) return
  const database = localDatabase(data.device, data.userId)
  if (message.type === 'rows') {
    const { table } = message
    // A tab with a newer version of the app may have tables that this version does not know.
    if (!isTableName(table)) return
    const found = await database.getRows(table, data.brandId, message.ids)
    const collection = collectionOf(data, table)
    const deletedIds = message.ids.filter((_, index) => !found[index])
    // The other tab may have pulled the deletion. Then no pull of this tab reports it.
    for (const [id, version] of Object.entries(message.deleted ?? {})) recordDeletion(data, id, version)
    const rows = found.filter((row): row is AnyRow => row !== undefined)
    collection.write(withoutDeleted(data, rows), deletedIds)
    if (message.write) data.writes.add(message.write)
  } else if (message.type === 'brand-state') {
    const state = await database.getState(data.brandId)
    const before = data.state.get()
    if (state) data.state.set(state)
    // As in the tab that has begun the pull: versions may be lower than before.
    if (state?.epoch !== before.epoch) data.recentlyDeleted.clear()
    data.firstPullEnded.set(true)
    if (state?.cursor === before.cursor) return
    for (const table of tableNames) data.invalidate(table)
  }
}
