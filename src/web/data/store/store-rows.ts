import { type Device, devicePart } from '#web/data/browser/device.ts'
import { type BrandData, openBrand } from './brand-data.ts'
import { type DeletedVersions, isRestored, withoutDeleted } from './deletions.ts'
import type { BrandState } from './brand-state.ts'
import { splitIntoParts } from './bucket.ts'
import { collectionOf } from './definition.ts'
import type { CountedWrite, WriteCount } from './first-look.ts'
import { localDatabase } from './local-db.ts'
import { isStorageFullError, isStorageFull } from './storage-full.ts'
import { postToTabs } from '#web/data/browser/tab-channel.ts'
import type { AnyRow, TableName } from '#web/data/server/tables.ts'
import { untilPainted, yieldToScreen } from '#web/data/browser/yield-to-screen.ts'

/** Number of buckets per write: 5 to 20 ms of work, so that the browser is never busy for 50 ms at a time. */
const bucketsPerWrite = 16
/** Number of rows that are added to memory at a time: a few milliseconds of work. */
const rowsPerSlice = 400

const noDeletions: DeletedVersions = new Map()

interface RowsToStore {
  userId: string
  brandId: string
  table: TableName
  rows?: readonly AnyRow[]
  /** The rows to remove, except those that were restored since. */
  deleted?: DeletedVersions
  /**
   * True if the rows replace stored rows even if these have a higher version. A pull from the beginning sets this, because rows of a restored
   * backup may have lower versions.
   */
  replace?: boolean
}

/**
 * Writes server rows to the memory of this tab and to the local database, and notifies the other tabs. Pauses between writes, so that the browser can
 * paint. Leaves out:
 * - rows that are not newer than this device's copies (with `replace`: rows that are equal to the copies),
 * - rows that are not newer than their deletion (`withoutDeleted`).
 *
 * Resolves when the rows are stored. With `mayResolveWhenShown`, resolves as soon as screens can show the rows, if the brand is open and its stored
 * rows have been read. The rows are then stored after they have been painted.
 */
export async function storeRows(
  device: Device,
  rowsToStore: RowsToStore,
  { mayResolveWhenShown = false } = {},
): Promise<void> {
  const data = openData(device, rowsToStore.userId, rowsToStore.brandId)
  const toStore =
    data && rowsToStore.rows ? { ...rowsToStore, rows: withoutDeleted(data, rowsToStore.rows) } : rowsToStore
  const writes = data?.writes
  if (writes) writes.underway += 1
  const removedFrom = removeFromMemory(device, toStore)
  const isShown = await showRows(device, toStore)
  const updateDisk = async (display: 'not-shown' | 'shown' | 'while-open') => {
    await removeFromDisk(device, toStore, removedFrom)
    await putOnDisk(device, toStore, display)
    if (writes) writes.underway -= 1
  }
  if (mayResolveWhenShown && isShown) void untilPainted().then(() => updateDisk('while-open'))
  else await updateDisk(isShown ? 'shown' : 'not-shown')
}

/**
 * Collects the server rows of several answers. The rows are shown when they arrive, but are written to the local database together.
 * Otherwise each answer would write the same buckets again. The rows are written only while their brand is open in this tab.
 */
export class GatheredRows {
  private readonly rows: AnyRow[] = []
  private readonly writes: WriteCount | undefined

  constructor(
    private readonly device: Device,
    private readonly of: Omit<RowsToStore, 'rows' | 'deleted'>,
  ) {
    this.writes = openData(device, of.userId, of.brandId)?.writes
    if (this.writes) this.writes.underway += 1
  }

  /**
   * Adds rows to the memory of this tab. Resolves when screens can show them. `replace` does not apply to the rows in memory whose ids are in
   * `current`.
   */
  async show(rows: readonly AnyRow[], current?: ReadonlySet<string>): Promise<void> {
    this.rows.push(...rows)
    await showRows(this.device, { ...this.of, rows }, current)
  }

  /** Writes all collected rows to the local database. Resolves when they are stored. Call it once. */
  async write(): Promise<void> {
    await putOnDisk(this.device, { ...this.of, rows: this.rows }, 'while-open')
    if (this.writes) this.writes.underway -= 1
  }
}

/**
 * Adds rows to the memory of this tab. Returns false if not all rows could be added: the brand is not open, or its stored rows are still
 * being read, so it is not known yet which rows are newer.
 */
async function showRows(
  device: Device,
  { userId, brandId, table, rows = [], replace = false }: RowsToStore,
  current?: ReadonlySet<string>,
): Promise<boolean> {
  for (let start = 0; start < rows.length; start += rowsPerSlice) {
    if (start > 0) await yieldToScreen()
    const collection = openCollection(device, userId, brandId, table)
    if (!collection?.isReady) return false
    const newerRows = rows
      .slice(start, start + rowsPerSlice)
      .filter((row) => isNewer(row, collection.serverRow(row.id), replace && !current?.has(row.id)))
    if (newerRows.length > 0) collection.write(newerRows)
  }
  return true
}

/**
 * Removes the deleted rows from the memory of this tab before they are removed from the disk. So a row that is restored while the disk is
 * being written is added to the memory afterwards, and stays. Returns the collection. Returns undefined, and removes nothing, if the brand is
 * not open or its stored rows are still being read.
 */
function removeFromMemory(
  device: Device,
  { userId, brandId, table, deleted = noDeletions }: RowsToStore,
): OpenCollection | undefined {
  const collection = openCollection(device, userId, brandId, table)
  if (!collection?.isReady) return undefined
  const ids = [...deleted.keys()].filter((id) => !isRestored(collection.serverRow(id), deleted))
  if (ids.length > 0) collection.write([], ids)
  return collection
}

/**
 * Removes the deleted rows from the local database, and notifies the other tabs. Keeps rows that the collection `removedFrom` has again,
 * because they were restored meanwhile.
 */
async function removeFromDisk(
  device: Device,
  { userId, brandId, table, deleted = noDeletions }: RowsToStore,
  removedFrom: OpenCollection | undefined,
): Promise<void> {
  for (const [index, idsOfPart] of splitIntoParts([...deleted.keys()], (id) => id, bucketsPerWrite).entries()) {
    if (index > 0) await yieldToScreen()
    const ids = idsOfPart.filter((id) => !removedFrom?.serverRow(id))
    const write = await writeToDisk(device, () =>
      localDatabase(device, userId).deleteRows(table, brandId, ids, deleted),
    )
    const currentCollection = openCollection(device, userId, brandId, table)
    // A collection that was still being read, or was opened meanwhile, may have read the rows before they were deleted.
    if (currentCollection !== removedFrom)
      currentCollection?.write(
        [],
        ids.filter((id) => !isRestored(currentCollection.serverRow(id), deleted)),
      )
    announceWrite(device, { userId, brandId, table }, { write, ids, deleted, isInMemory: true })
  }
}

/** Writes rows to the local database and notifies the other tabs. */
async function putOnDisk(
  device: Device,
  { userId, brandId, table, rows = [], replace = false }: RowsToStore,
  /**
   * Whether screens already show the rows. while-open: they do, and the rows are not written if the brand is closed meanwhile, because it
   * may have been wiped from this device.
   */
  display: 'not-shown' | 'shown' | 'while-open',
): Promise<void> {
  for (const [index, rowsOfPart] of splitIntoParts(rows, ({ id }) => id, bucketsPerWrite).entries()) {
    if (index > 0) await yieldToScreen()
    const shownCollection = display === 'not-shown' ? undefined : openCollection(device, userId, brandId, table)
    if (display === 'while-open' && !shownCollection) return
    // The row in memory may be newer than the given row. A row that is not in memory was deleted meanwhile.
    const newestRows = shownCollection
      ? rowsOfPart.flatMap(({ id }) => shownCollection.serverRow(id) ?? [])
      : rowsOfPart
    const result = await writeToDisk(device, () =>
      // The rows are compared with the stored rows, not with the rows in memory.
      localDatabase(device, userId).putNewer(table, brandId, newestRows, (row, stored) =>
        isNewer(row, stored, replace),
      ),
    )
    const written = result?.written ?? []
    const collection = openCollection(device, userId, brandId, table)
    if (display === 'not-shown') {
      const newerRows = collection?.isReady
        ? newestRows.filter((row) => isNewer(row, collection.serverRow(row.id), replace))
        : written
      if (newerRows.length > 0) collection?.write(newerRows)
    }
    const ids = written.map(({ id }) => id)
    // If the brand was closed and opened again meanwhile, its new collection reads the rows from the disk, before or after this write.
    const isInMemory = display === 'not-shown' || collection === shownCollection
    announceWrite(device, { userId, brandId, table }, { write: result?.write, ids, isInMemory })
  }
}

/** Tells the other tabs about a write to the local database, so that they read the rows from it. Counts the write if this tab has the rows. */
function announceWrite(
  device: Device,
  brandTable: { userId: string; brandId: string; table: TableName },
  {
    write,
    ids,
    deleted: versions,
    isInMemory,
  }: {
    write: CountedWrite | undefined
    ids: readonly string[]
    deleted?: DeletedVersions | undefined
    isInMemory: boolean
  },
): void {
  if (!write) return
  const data = openData(device, brandTable.userId, brandTable.brandId)
  if (isInMemory) data?.writes.add(write)
  const deleted: Record<string, number> = {}
  for (const id of ids) {
    const version = versions?.get(id) ?? data?.recentlyDeleted.get(id) ?? (versions && 0)
    if (version !== undefined) deleted[id] = version
  }
  postToTabs(device, { type: 'rows', ...brandTable, ids, write, deleted })
}

/**
 * Stores the state of a brand in memory and in the local database, and notifies the other tabs. Unless `isNew` is true, the local database must have
 * a state of the brand already. If it has none, another tab has deleted the copies to make room, and this tab stores nothing more on the disk.
 */
export async function storeState(data: BrandData, state: BrandState, { isNew = false } = {}): Promise<void> {
  data.state.set(state)
  const { device, userId, brandId } = data
  const isWritten = await writeToDisk(device, () => localDatabase(device, userId).putState(state, isNew))
  if (isWritten) postToTabs(device, { type: 'brand-state', userId, brandId })
  else if (isWritten === false && openBrand(device).get() === data) stopStoringRows(device, null)
}

function isNewer(row: AnyRow, stored: AnyRow | undefined, replace: boolean): boolean {
  if (!stored) return true
  // `rev` 0 means that an earlier version of the app has stored the row.
  if (replace || stored.rev === 0) return stored.version !== row.version || stored.rev !== row.rev
  return row.version > stored.version
}

type OpenCollection = ReturnType<typeof collectionOf>

function openCollection(device: Device, userId: string, brandId: string, table: TableName): OpenCollection | undefined {
  const data = openData(device, userId, brandId)
  return data && collectionOf(data, table)
}

function openData(device: Device, userId: string, brandId: string): BrandData | undefined {
  const data = openBrand(device).get()
  return data?.userId === userId && data.brandId === brandId ? data : undefined
}

const diskState = devicePart(() => ({ isRefusing: false }))

/**
 * Keeps server rows only in memory from now on, because a write has failed with this error, or (null) because another tab has deleted the copies.
 * The remaining space is needed for operations, which exist only on this device.
 */
export function stopStoringRows(device: Device, error: unknown): void {
  diskState(device).isRefusing = true
  if (isStorageFullError(error)) isStorageFull(device).set(true)
}

/** Whether rows and cursors are still written to the local database of this device. */
export function isStoringRows(device: Device): boolean {
  return !diskState(device).isRefusing
}

/**
 * Writes to the local database. Returns undefined if the write failed, usually because the storage is full, or after `stopStoringRows`. The
 * page then continues with the rows in memory. From then on the cursor is not written either, so that the next start fetches the
 * missing rows again.
 */
async function writeToDisk<Result>(device: Device, write: () => Promise<Result>): Promise<Result | undefined> {
  if (diskState(device).isRefusing) return
  try {
    return await write()
  } catch (error) {
    // The database was closed, for example at a sign-out. Nothing may be stored any more, but the disk has not failed.
    if (error instanceof Error && error.name === 'DatabaseClosedError') return
    stopStoringRows(device, error)
    console.warn('The local copy could not be written.', error)
  }
}
