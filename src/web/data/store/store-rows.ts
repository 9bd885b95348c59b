import { type Device } from '#web/data/browser/device.ts'
import { devicePart } from '#web/data/browser/device.ts'
import { type BrandData, openBrand } from './brand-data.ts'
import type { BrandState } from './brand-state.ts'
import type { Collection } from './collection.ts'
import { rowsOfTable } from './definition.ts'
import { localDatabase } from './local-db.ts'
import { isNoRoom, noRoom } from './no-room.ts'
import { postToTabs } from '#web/data/browser/tab-channel.ts'
import type { AnyRow, TableName } from '#web/data/server/tables.ts'
import { letScreenPaint, yieldToScreen } from '#web/data/browser/yield-to-screen.ts'

/** Rows written in one go: 10 to 20 ms of work, so that no task comes near 50 ms. */
const slice = 120
/** Rows taken into memory in one go: a few milliseconds. */
const shownSlice = 400

interface Rows {
  userId: string
  brandId: string
  table: TableName
  rows?: readonly AnyRow[]
  goneIds?: readonly string[]
  /** Take rows also where ours are of a higher version: after a restored backup versions start lower (a pull from the beginning). */
  replace?: boolean
}

/**
 * Writes rows of the server to the memory of this tab, to the local database and, by a message, to the memory of the other tabs. Rows
 * that are not newer than ours are left out. Works in slices that let the page breathe. Resolves when the rows are on the disk;
 * `untilShown`: as soon as screens can show them, and the disk has its turn when they have been drawn.
 */
export async function storeRows(device: Device, stored: Rows, { untilShown = false } = {}): Promise<void> {
  const isShown = await showRows(device, stored)
  if (untilShown && isShown) void letScreenPaint().then(() => keepRows(device, stored, isShown))
  else await keepRows(device, stored, isShown)
}

/** False where the local database is still being read: what is there decides which rows are newer. */
async function showRows(
  device: Device,
  { userId, brandId, table, rows = [], replace = false }: Rows,
): Promise<boolean> {
  for (let start = 0; start < rows.length; start += shownSlice) {
    if (start > 0) await yieldToScreen()
    const collection = openCollection(device, userId, brandId, table)
    if (!collection?.loaded) return false
    const fresh = rows
      .slice(start, start + shownSlice)
      .filter((row) => isNewer(row, collection.onServer(row.id), replace))
    if (fresh.length > 0) collection.write(fresh)
  }
  return true
}

async function keepRows(
  device: Device,
  { userId, brandId, table, rows = [], goneIds = [], replace = false }: Rows,
  isShown: boolean,
): Promise<void> {
  for (let start = 0; start < goneIds.length; start += slice) {
    const ids = goneIds.slice(start, start + slice)
    const isKept = await keep(device, () => localDatabase(device, userId).deleteRows(table, brandId, ids))
    openCollection(device, userId, brandId, table)?.write([], ids)
    if (isKept) postToTabs(device, { type: 'rows', userId, brandId, table, ids })
    if (start + slice < goneIds.length) await yieldToScreen()
  }
  for (let start = 0; start < rows.length; start += slice) {
    if (start > 0) await yieldToScreen()
    const shown = isShown ? openCollection(device, userId, brandId, table) : undefined
    // What is not shown any more was deleted meanwhile.
    const some = rows.slice(start, start + slice).filter(({ id }) => !shown || shown.onServer(id))
    let written: readonly AnyRow[] = []
    const isKept = await keep(device, async () => {
      // Compared with the disk, not with this tab's memory.
      written = await localDatabase(device, userId).putNewer(table, brandId, some, (row, kept) =>
        isNewer(row, kept, replace),
      )
    })
    const collection = isShown ? undefined : openCollection(device, userId, brandId, table)
    const fresh = collection?.loaded
      ? some.filter((row) => isNewer(row, collection.onServer(row.id), replace))
      : written
    if (fresh.length > 0) collection?.write(fresh)
    // What is not on the disk the other tabs could not read there.
    if (isKept && written.length > 0) {
      const ids = written.map((row) => row.id)
      postToTabs(device, { type: 'rows', userId, brandId, table, ids })
    }
  }
}

/** Writes what is known about a brand's copy, for all tabs. */
export async function storeState(data: BrandData, state: BrandState): Promise<void> {
  data.state.set(state)
  const isKept = await keep(data.device, () => localDatabase(data.device, data.userId).putState(state))
  if (isKept) postToTabs(data.device, { type: 'brand-state', userId: data.userId, brandId: data.brandId })
}

function isNewer(row: AnyRow, ours: AnyRow | undefined, replace: boolean): boolean {
  if (!ours) return true
  // `rev` 0: kept by an earlier version of the app.
  if (replace || ours.rev === 0) return ours.version !== row.version || ours.rev !== row.rev
  return row.version > ours.version
}

function openCollection(
  device: Device,
  userId: string,
  brandId: string,
  table: TableName,
): Collection<AnyRow> | undefined {
  const data = openBrand(device).get()
  if (data?.userId !== userId || data.brandId !== brandId) return undefined
  return rowsOfTable(data, table)
}

const disk = devicePart(() => ({ refuses: false }))

/** Goes on in memory alone: the room on the disk is needed for what exists only here. */
export function stopKeepingRows(device: Device, why: unknown): void {
  if (disk(device).refuses) return
  disk(device).refuses = true
  if (isNoRoom(why)) noRoom(device).set(true)
}

/** Whether rows and cursors still go to the disk. */
export function keepsRows(device: Device): boolean {
  return !disk(device).refuses
}

/**
 * The copy on the disk is a convenience: where the disk refuses (quota), the page goes on with what it has in memory. From then on the
 * cursor is not written either, so that the next start asks again for what is missing. True: it is there.
 */
async function keep(device: Device, write: () => Promise<unknown>): Promise<boolean> {
  if (disk(device).refuses) return false
  try {
    await write()
    return true
  } catch (error) {
    // Another user, or sign-out: nothing is to be kept any more.
    if (error instanceof Error && error.name === 'DatabaseClosedError') return false
    stopKeepingRows(device, error)
    console.warn('The local copy could not be written; this page goes on without it.', error)
    return false
  }
}
