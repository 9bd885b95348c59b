import type { TabMessage } from '#web/data/browser/tab-channel.ts'
import { type AnyRow, isTableName, type TableName, tableNames } from '#web/data/server/tables.ts'
import type { BrandData } from './brand-data.ts'
import { collectionOf } from './definition.ts'
import { recordDeletion, withoutDeleted } from './deletions.ts'
import { localDatabase } from './local-db.ts'
import { perBrand } from './per-brand.ts'
import { storeRows } from './store-rows.ts'

/** Applies a message about the open brand: reads what another tab has just written to the local database. Logs an error, and never rejects. */
export async function applyTabMessage(data: BrandData, message: TabMessage): Promise<void> {
  try {
    await untilLoaded(data)
    if (message.type === 'rows' && isTableName(message.table))
      await readRows(data, { ...message, table: message.table })
    else if (message.type === 'brand-state') await readState(data)
  } catch (error) {
    // The local database was closed meanwhile (another user, sign-out).
    if (error instanceof Error && error.name === 'DatabaseClosedError') return
    console.warn('What another tab has stored could not be read.', error)
  }
}

/**
 * Waits until the rows of the brand have been read from the local database. Otherwise this tab could read a row after it has applied the message
 * that another tab has deleted the row, and the row would stay.
 */
async function untilLoaded({ loaded }: BrandData): Promise<void> {
  if (loaded.get()) return
  await new Promise<void>((resolve) => {
    const stop = loaded.subscribe(() => {
      stop()
      resolve()
    })
  })
}

/**
 * Reads the rows that another tab has written, and removes the rows that the other tab has deleted. Rows in this tab that are newer stay: they may
 * not be on the disk yet. If this tab has stored a deleted row again, because the message about the deletion was still on its way, the row is
 * removed from the disk, too.
 */
async function readRows(
  data: BrandData,
  { table, ids, write, deleted }: Extract<TabMessage, { type: 'rows' }> & { table: TableName },
): Promise<void> {
  const brandTable = { userId: data.userId, brandId: data.brandId, table }
  const storedRows = await localDatabase(data.device, data.userId).getRows(table, data.brandId, ids)
  const collection = collectionOf(data, table)
  const versionHere = (id: string) => collection.serverRow(id)?.version ?? -1
  // The deletion is recorded here, because no pull of this tab reports it if the other tab has pulled it.
  for (const [id, version] of Object.entries(deleted ?? {}))
    if (version >= versionHere(id)) recordDeletion(data, id, version)
  const missingIds = ids.filter((_, index) => !storedRows[index])
  // A row that the other tab has written, but that is missing on the disk, was removed to make room. A tab of an earlier version does not send
  // `deleted`, so all missing rows count as deleted then.
  const goneIds = missingIds.filter((id) => !deleted || id in deleted)
  const deletedIds = goneIds.filter((id) => versionHere(id) <= (deleted?.[id] || Number.POSITIVE_INFINITY))
  const idsOfEarlierEpoch = epochChange(data).ids.get(table)
  const rows = storedRows.filter((row): row is AnyRow => row !== undefined)
  collection.write(
    withoutDeleted(data, rows).filter(({ id, version }) => version > versionHere(id) || idsOfEarlierEpoch?.has(id)),
    deletedIds,
  )
  if (write && goneIds.length === missingIds.length) data.writes.add(write)
  const storedAgain = rows.filter(({ id, version }) => version <= (deleted?.[id] ?? -1))
  if (storedAgain.length > 0)
    await storeRows(data.device, { ...brandTable, deleted: new Map(storedAgain.map(({ id }) => [id, deleted?.[id]])) })
}

async function readState(data: BrandData): Promise<void> {
  await adoptStoredState(data)
  data.firstPullEnded.set(true)
}

/** The last change of the epoch that another tab has found. */
interface EpochChange {
  /** The new epoch. Undefined if no other tab has found one. */
  epoch?: string | null
  /** The ids of the rows in memory that have not arrived again since then, by table. */
  ids: Map<TableName, Set<string>>
}

const epochChange = perBrand((): EpochChange => ({ ids: new Map() }))

/**
 * Takes over the state of the brand that another tab has stored, with its cursor, if this tab has the rows of all writes in memory. A write may be
 * missing because the other tab ended before it sent its message: then this tab keeps its cursor, and pulls the rows itself.
 */
export async function adoptStoredState(data: BrandData): Promise<void> {
  const local = localDatabase(data.device, data.userId)
  const state = await local.getState(data.brandId)
  if (!state) return
  recordEpoch(data, state.epoch)
  // The number of writes is read after the state, so that it includes all writes before that state.
  const look = await local.getLook(data.brandId)
  if ((look?.writes ?? 0) !== data.writes.known.get()) return
  const currentState = data.state.get()
  if (JSON.stringify(state) !== JSON.stringify(currentState)) data.state.set(state)
  if (state.cursor !== currentState.cursor) for (const table of tableNames) data.invalidate(table)
}

/**
 * Records that another tab has found a new epoch. In a new epoch, versions may be lower than before, because a backup was restored. So the rows of
 * the other tab will replace the rows that are in memory now, whatever their versions are.
 */
function recordEpoch(data: BrandData, epoch: string | null): void {
  const change = epochChange(data)
  const currentEpoch = data.state.get().epoch
  if (epoch === currentEpoch || epoch === change.epoch) return
  change.epoch = epoch
  data.recentlyDeleted.clear()
  if (currentEpoch === null) return
  for (const table of tableNames) {
    const ids = new Set(data.tables[table].serverIds())
    change.ids.set(table, ids)
    data.onClose(data.tables[table].onServerRows((changes) => changes.forEach(({ id }) => ids.delete(id))))
  }
}
