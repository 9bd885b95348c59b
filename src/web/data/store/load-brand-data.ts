import { tableNames, type TableName } from '#web/data/server/tables.ts'
import { untilPainted, yieldToScreen } from '#web/data/browser/yield-to-screen.ts'
import { type BrandData, recordLookChanges } from './brand-data.ts'
import { newBrandState } from './brand-state.ts'
import { collectionOf } from './definition.ts'
import { lookTables, ShownLook, type StoredLook } from './first-look.ts'
import { localDatabase } from './local-db.ts'
import { queue } from './queue.ts'

/** Number of rows that are read from the local database at a time: about 5 ms of work. */
const rowsPerRead = 400
/** Number of buckets in the first read. From their size, `bucketsPerRead` computes how many buckets the next read may have. */
const firstBucketCount = 8

/** The tables whose rows the lists of contacts and companies do not show. */
const tablesNotInLists: readonly TableName[] = ['deals', 'tasks', 'notes', 'deal_contacts']

/**
 * After a brand was opened, reads its rows from the local database, with pauses in which the browser can paint. `shownTable`: the table whose list is
 * on the screen, if that is 'contacts' or 'companies'. In this case, first reads the tables whose rows these lists show, and the others
 * (`tablesNotInLists`) after the browser has painted the list. If the local database cannot be read, the brand gets a new state, so that the next
 * pull fetches all rows.
 */
export async function loadBrandData(data: BrandData, shownTable?: string): Promise<void> {
  await data.stateKnown
  try {
    // The number of the last write is read before the rows, so that a write in between is not counted as known.
    const stored = await localDatabase(data.device, data.userId).getLook(data.brandId)
    data.writes.begin(stored?.writes ?? 0)
    if (stored) showLook(data, stored)
    const load = async (tables: readonly TableName[]) => {
      const reads = tables.map((table) => loadTable(data, table))
      // If one table cannot be read, the others are still read to their end, so that none of them is read during the pull.
      await Promise.allSettled(reads)
      await Promise.all(reads)
    }
    const laterTables = shownTable ? tablesNotInLists : []
    await load(tableNames.filter((table) => !laterTables.includes(table)))
    if (shownTable) {
      data.listRead.set(shownTable)
      await untilPainted()
    }
    await load(laterTables)
  } catch (error) {
    console.warn('The local database cannot be read.', error)
    data.state.set(newBrandState(data.brandId))
    // Rows are missing in memory, so this tab must not take over a stored state, which says that they are complete.
    data.writes.known.set(null)
    // The pulled rows are then shown from memory, also if they cannot be stored.
    await Promise.all(tableNames.map((table) => collectionOf(data, table).endReading(yieldToScreen)))
  }
  data.loaded.set(true)
  data.firstLook.set(null)
}

/**
 * Shows the stored first look as soon as it is known that no operation of the brand is waiting. The first look does not include the effect
 * of operations.
 */
function showLook(data: BrandData, { look, writes }: StoredLook): void {
  if (!look) return
  const deviceQueue = queue(data.device)
  const showWhenReady = () => {
    const { userId, isReady } = deviceQueue.get()
    if (!isReady || userId !== data.userId) return
    stop()
    if (data.loaded.get() || hasWaitingOperations(data)) return
    // If a table has been read by now, or another tab has written rows meanwhile, the first look is older than these rows.
    if (data.writes.known.get() !== writes || lookTables.some((table) => data.tables[table].size > 0)) return
    for (const table of tableNames) collectionOf(data, table).write(look.rows[table] ?? [])
    for (const table of lookTables)
      data.onClose(
        data.tables[table].index({
          apply: (changes) =>
            recordLookChanges(
              data,
              table,
              changes.map(({ id }) => id),
            ),
        }),
      )
    data.firstLook.set(new ShownLook(look))
  }
  const stop = deviceQueue.subscribe(showWhenReady)
  data.onClose(stop)
  showWhenReady()
}

/** Whether an operation of the brand is waiting to be sent. */
export function hasWaitingOperations({ device, brandId }: BrandData): boolean {
  return queue(device)
    .get()
    .operations.some((operation) => operation.brandId === brandId && operation.state === 'waiting')
}

async function loadTable(data: BrandData, table: TableName): Promise<void> {
  const database = localDatabase(data.device, data.userId)
  const collection = collectionOf(data, table)
  let limit = firstBucketCount
  const readAfter = (bucket: string) => database.readBuckets(table, data.brandId, bucket, limit)
  for (let nextRead = readAfter(''); ; ) {
    const buckets = await nextRead
    const lastBucket = buckets.at(-1)
    const isLast = buckets.length < limit || !lastBucket
    const rows = buckets.flatMap((bucket) => bucket.rows)
    // The next buckets are read while these rows are added.
    if (!isLast) {
      limit = bucketsPerRead(rows.length / buckets.length)
      nextRead = readAfter(lastBucket.bucket)
    }
    // The loop handles a failure when it awaits this promise.
    nextRead.catch(() => {})
    collection.add(rows)
    if (isLast) break
    await data.firstLook.get()?.painted
    await yieldToScreen()
  }
  await collection.endReading(yieldToScreen)
}

/** Returns how many buckets should be read at a time if each has this many rows. */
function bucketsPerRead(rowsPerBucket: number): number {
  return Math.max(1, Math.round(rowsPerRead / Math.max(1, rowsPerBucket)))
}
