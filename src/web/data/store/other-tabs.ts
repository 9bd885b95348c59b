import { onTabMessage, type TabMessage } from '#web/data/browser/tab-channel.ts'
import { type AnyRow, isTableName, type TableName, tableNames } from '#web/data/server/tables.ts'
import type { BrandData } from './brand-data.ts'
import { collectionOf } from './definition.ts'
import { recordDeletion, withoutDeleted } from './deletions.ts'
import { localDatabase } from './local-db.ts'
import { perBrand } from './per-brand.ts'

/**
 * Reads what other tabs write to the local database into the memory of this tab, in the order of their messages. Returns the function that
 * stops this.
 */
export function followOtherTabs(data: BrandData): () => void {
  let last = Promise.resolve()
  return onTabMessage(data.device, (message) => {
    last = last.then(() => applyTabMessage(data, message)).catch(logUnlessClosed)
  })
}

/** Logs an error, unless it is a DatabaseClosedError: the local database was closed meanwhile (another user, sign-out). */
function logUnlessClosed(error: unknown): void {
  if (error instanceof Error && error.name === 'DatabaseClosedError') return
  console.warn('What another tab has stored could not be read.', error)
}

async function applyTabMessage(data: BrandData, message: TabMessage): Promise<void> {
  if (!('brandId' in message) || message.brandId !== data.brandId || message.userId !== data.userId) return
  if (message.type === 'rows' && isTableName(message.table)) await readRows(data, { ...message, table: message.table })
  else if (message.type === 'brand-state') await readState(data)
}

/** Reads rows that another tab has written, or removes those that it has deleted. Rows in this tab that are newer stay: they may not be on the disk yet. */
async function readRows(
  data: BrandData,
  { table, ids, write, deleted = {} }: Extract<TabMessage, { type: 'rows' }> & { table: TableName },
): Promise<void> {
  const found = await localDatabase(data.device, data.userId).getRows(table, data.brandId, ids)
  const collection = collectionOf(data, table)
  const versionHere = (id: string) => collection.onServer(id)?.version ?? -1
  // The other tab may have pulled the deletion. Then no pull of this tab reports it.
  for (const [id, version] of Object.entries(deleted)) if (version >= versionHere(id)) recordDeletion(data, id, version)
  const deletedIds = ids.filter(
    (id, index) => !found[index] && versionHere(id) <= (deleted[id] ?? Number.POSITIVE_INFINITY),
  )
  const isOfEarlierEpoch = rowsOfEarlierEpoch(data).get(table)
  const rows = found.filter((row): row is AnyRow => row !== undefined)
  collection.write(
    withoutDeleted(data, rows).filter(({ id, version }) => version > versionHere(id) || isOfEarlierEpoch?.has(id)),
    deletedIds,
  )
  if (write) data.writes.add(write)
}

async function readState(data: BrandData): Promise<void> {
  const { cursor } = data.state.get()
  await takeStoredState(data)
  data.firstPullEnded.set(true)
  if (data.state.get().cursor === cursor) return
  for (const table of tableNames) data.invalidate(table)
}

/** The ids of the rows in memory that have not arrived again since another tab found a new epoch, by table. */
const rowsOfEarlierEpoch = perBrand(() => new Map<TableName, Set<string>>())

/**
 * Takes over the state of the brand that another tab has stored, with its cursor, if this tab has the rows of all writes in memory. A write may be
 * missing because the other tab ended before it told of it: then this tab keeps its cursor, and pulls the rows itself.
 */
export async function takeStoredState(data: BrandData): Promise<void> {
  const { state, writes } = await localDatabase(data.device, data.userId).getStateAndWrites(data.brandId)
  const before = data.state.get()
  if (!state || writes !== data.writes.known.get() || JSON.stringify(state) === JSON.stringify(before)) return
  const { epoch } = before
  data.state.set(state)
  if (state.epoch === epoch) return
  // Versions may be lower than before, because a backup was restored: so rows that are in memory now are replaced by those of the other tab,
  // whatever their version is.
  data.recentlyDeleted.clear()
  if (epoch === null) return
  for (const table of tableNames) {
    const ids = new Set(data.tables[table].serverIds())
    rowsOfEarlierEpoch(data).set(table, ids)
    data.onClose(data.tables[table].onServerRows((changes) => changes.forEach(({ id }) => ids.delete(id))))
  }
}
