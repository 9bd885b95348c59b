import { type Device, devicePart } from '#web/data/browser/device.ts'
import { type BrandData, openBrand } from './brand-data.ts'
import type { BrandState } from './brand-state.ts'
import { inParts } from './bucket.ts'
import { rowsOfTable } from './definition.ts'
import type { CountedWrite, WriteCount } from './first-look.ts'
import { localDatabase } from './local-db.ts'
import { isStorageFullError, storageFull } from './storage-full.ts'
import { postToTabs } from '#web/data/browser/tab-channel.ts'
import type { AnyRow, TableName } from '#web/data/server/tables.ts'
import { letScreenPaint, yieldToScreen } from '#web/data/browser/yield-to-screen.ts'

/** Buckets written at a time: 5 to 20 ms of work, so that no task takes 50 ms. */
const bucketsPerWrite = 16
/** Rows taken into memory at a time: a few milliseconds. */
const rowsPerSlice = 400

interface Rows {
  userId: string
  brandId: string
  table: TableName
  rows?: readonly AnyRow[]
  deletedIds?: readonly string[]
  /** Replace rows of a higher version too. A pull from the beginning sets it: after a restored backup versions start lower. */
  replace?: boolean
}

/**
 * Writes server rows to the memory of this tab and to the local database, and sends a message to the other tabs. Leaves out rows that are
 * not newer than the present ones. Pauses between writes, so that the browser can paint. Resolves when the rows are on the disk;
 * `untilShown`: as soon as screens can show them. Then the disk is written after they have been painted.
 */
export async function storeRows(device: Device, stored: Rows, { untilShown = false } = {}): Promise<void> {
  const writes = openData(device, stored.userId, stored.brandId)?.writes
  if (writes) writes.underway += 1
  const isShown = await showRows(device, stored)
  const keep = async (how: 'not-shown' | 'shown' | 'while-open') => {
    await keepRows(device, stored, how)
    if (writes) writes.underway -= 1
  }
  if (untilShown && isShown) void letScreenPaint().then(() => keep('while-open'))
  else await keep(isShown ? 'shown' : 'not-shown')
}

/**
 * Server rows of several answers, which are shown as they come and written to the local database together: answer by answer each bucket would
 * be written anew. They are written while their brand is open in this tab.
 */
export class GatheredRows {
  private readonly rows: AnyRow[] = []
  private readonly writes: WriteCount | undefined

  constructor(
    private readonly device: Device,
    private readonly of: Omit<Rows, 'rows' | 'deletedIds'>,
  ) {
    this.writes = openData(device, of.userId, of.brandId)?.writes
    if (this.writes) this.writes.underway += 1
  }

  /** Resolves when screens can show the rows. */
  async show(rows: readonly AnyRow[]): Promise<void> {
    this.rows.push(...rows)
    await showRows(this.device, { ...this.of, rows })
  }

  /** Resolves when all rows are on the disk. Call it once. */
  async keep(): Promise<void> {
    await keepRows(this.device, { ...this.of, rows: this.rows }, 'while-open')
    if (this.writes) this.writes.underway -= 1
  }
}

/** False where the local database is still being read: what is there decides which rows are newer. */
async function showRows(
  device: Device,
  { userId, brandId, table, rows = [], replace = false }: Rows,
): Promise<boolean> {
  for (let start = 0; start < rows.length; start += rowsPerSlice) {
    if (start > 0) await yieldToScreen()
    const collection = openCollection(device, userId, brandId, table)
    if (!collection?.loaded) return false
    const fresh = rows
      .slice(start, start + rowsPerSlice)
      .filter((row) => isNewer(row, collection.onServer(row.id), replace))
    if (fresh.length > 0) collection.write(fresh)
  }
  return true
}

async function keepRows(
  device: Device,
  { userId, brandId, table, rows = [], deletedIds = [], replace = false }: Rows,
  /** while-open: shown, and no longer of use when the brand is closed, which may have been wiped from this device. */
  how: 'not-shown' | 'shown' | 'while-open',
): Promise<void> {
  const tellOf = (write: CountedWrite | undefined, ids: readonly string[], isInMemory: boolean) => {
    if (!write) return
    if (isInMemory) openData(device, userId, brandId)?.writes.note(write)
    // The other tabs read the rows from the disk.
    postToTabs(device, { type: 'rows', userId, brandId, table, ids, write })
  }
  for (const [index, ids] of inParts(deletedIds, (id) => id, bucketsPerWrite).entries()) {
    if (index > 0) await yieldToScreen()
    const write = await writeToDisk(device, () => localDatabase(device, userId).deleteRows(table, brandId, ids))
    openCollection(device, userId, brandId, table)?.write([], ids)
    tellOf(write, ids, true)
  }
  for (const [index, given] of inParts(rows, ({ id }) => id, bucketsPerWrite).entries()) {
    if (index > 0) await yieldToScreen()
    const shown = how === 'not-shown' ? undefined : openCollection(device, userId, brandId, table)
    if (how === 'while-open' && !shown) return
    // What is shown by now may be newer; what is not shown any more was deleted meanwhile.
    const part = shown ? given.flatMap(({ id }) => shown.onServer(id) ?? []) : given
    const done = await writeToDisk(device, () =>
      // Compares with the rows on the disk, not in memory.
      localDatabase(device, userId).putNewer(table, brandId, part, (row, stored) => isNewer(row, stored, replace)),
    )
    const written = done?.written ?? []
    const collection = openCollection(device, userId, brandId, table)
    if (how === 'not-shown') {
      const fresh = collection?.loaded
        ? part.filter((row) => isNewer(row, collection.onServer(row.id), replace))
        : written
      if (fresh.length > 0) collection?.write(fresh)
    }
    const ids = written.map(({ id }) => id)
    // A brand that was closed and opened again meanwhile reads its rows by itself, before or after this write.
    tellOf(done?.write, ids, how === 'not-shown' || collection === shown)
  }
}

/** Writes the state of a brand, for all tabs. */
export async function storeState(data: BrandData, state: BrandState): Promise<void> {
  data.state.set(state)
  const isWritten = await writeToDisk(data.device, async () => {
    await localDatabase(data.device, data.userId).putState(state)
    return true
  })
  if (isWritten) postToTabs(data.device, { type: 'brand-state', userId: data.userId, brandId: data.brandId })
}

function isNewer(row: AnyRow, present: AnyRow | undefined, replace: boolean): boolean {
  if (!present) return true
  // `rev` 0: stored by an earlier version of the app.
  if (replace || present.rev === 0) return present.version !== row.version || present.rev !== row.rev
  return row.version > present.version
}

function openCollection(
  device: Device,
  userId: string,
  brandId: string,
  table: TableName,
): ReturnType<typeof rowsOfTable> | undefined {
  const data = openData(device, userId, brandId)
  return data && rowsOfTable(data, table)
}

function openData(device: Device, userId: string, brandId: string): BrandData | undefined {
  const data = openBrand(device).get()
  return data?.userId === userId && data.brandId === brandId ? data : undefined
}

const disk = devicePart(() => ({ isRefusing: false }))

/** From now on keeps server rows in memory only. The disk is needed for operations, which exist only on this device. */
export function stopStoringRows(device: Device, why: unknown): void {
  if (disk(device).isRefusing) return
  disk(device).isRefusing = true
  if (isStorageFullError(why)) storageFull(device).set(true)
}

/** Whether rows and cursors are still written to the disk. */
export function isStoringRows(device: Device): boolean {
  return !disk(device).isRefusing
}

/**
 * Writes to the disk; undefined when that failed. Then (quota) the page goes on with the rows in memory. The cursor is not written
 * from then on either, so that the next start fetches the missing rows again.
 */
async function writeToDisk<Result>(device: Device, write: () => Promise<Result>): Promise<Result | undefined> {
  if (disk(device).isRefusing) return
  try {
    return await write()
  } catch (error) {
    // Another user has signed in, or this one has signed out: nothing must be stored any more.
    if (error instanceof Error && error.name === 'DatabaseClosedError') return
    stopStoringRows(device, error)
    console.warn('The local copy could not be written; this page goes on without it.', error)
  }
}
