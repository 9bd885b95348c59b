import type { Device } from '#web/data/browser/device.ts'
import type { CurrencySum } from '#web/data/server/read-queries.ts'
import { type DeletedVersions, inAnyVersion, isRestored } from './deletions.ts'
import { type AnyRow, type TableName, tableNames } from '#web/data/server/tables.ts'
import type { DBSchema } from 'idb'
import { rowsDatabaseName } from '#web/data/session/stored-user.ts'
import type { BrandState } from './brand-state.ts'
import { type Bucket, bucketsOf, rowsById, mergeNewer, changedBucketsWithout } from './bucket.ts'
import { type CountedWrite, countWrite, type FirstLook, type StoredLook } from './first-look.ts'
import { databasePerUser } from './per-user.ts'
import { localUpgrades } from './local-upgrades.ts'
import { UserDatabase } from './user-database.ts'

/** The server's last answer to a query of a windowed table: the ids of its first rows, or its figures. */
export interface StoredList {
  brand_id: string
  key: string
  ids: readonly (string | null)[]
  total: number
  /** True if the server stopped counting at `total` rows and has more. */
  hasMore?: boolean
  sums?: readonly CurrencySum[]
  /** `timeline`: the first entries of a record's timeline, which `readStoredTimeline` reads. `inbox`: the notifications of the bell. */
  timeline?: unknown
  inbox?: { notifications: readonly unknown[]; readHere: readonly string[] }
}

type RowStores = { [Table in TableName]: { key: [brandId: string, bucket: string]; value: Bucket } }

interface Stores extends DBSchema, RowStores {
  lists: { key: [brandId: string, key: string]; value: StoredList }
  states: { key: string; value: BrandState }
  looks: { key: string; value: StoredLook }
}

/**
 * The rows of one user on this device. They can be fetched from the server again at any time, so writes do not wait for the disk. Unsent
 * operations, which exist only on this device, are in the outbox database, whose writes do wait for the disk.
 */
export class LocalDatabase {
  private readonly database: UserDatabase<Stores>

  constructor(
    device: Device,
    readonly userId: string,
  ) {
    this.database = new UserDatabase(device, rowsDatabaseName(userId), userId, localUpgrades, 'relaxed')
  }

  /** Reads a brand's buckets in order. Begins after the bucket `after`, or at the first bucket if `after` is ''. */
  readBuckets(table: TableName, brandId: string, after: string, limit: number): Promise<Bucket[]> {
    const range = IDBKeyRange.bound([brandId, after], [brandId, '\uffff'], true, false)
    return this.database.run(table, 'readonly', (transaction) => transaction.objectStore(table).getAll(range, limit))
  }

  /** Reads the rows with these ids. The result has undefined in place of a row that is not stored. */
  getRows(table: TableName, brandId: string, ids: readonly string[]): Promise<(AnyRow | undefined)[]> {
    return this.database.run(table, 'readonly', async (transaction) => {
      const rows = rowsById(await readBuckets(transaction.objectStore(table), brandId, ids))
      return ids.map((id) => rows.get(id))
    })
  }

  /**
   * Writes the rows that are newer than the stored ones by `isNewer`. Returns these rows, and the number of the write. Comparing and writing
   * are one transaction, so that two tabs cannot replace each other's newer rows.
   */
  putNewer(
    table: TableName,
    brandId: string,
    rows: readonly AnyRow[],
    isNewer: (row: AnyRow, stored: AnyRow | undefined) => boolean,
  ): Promise<{ written: AnyRow[]; write?: CountedWrite }> {
    const ids = rows.map(({ id }) => id)
    return this.database.run([table, 'looks'], 'readwrite', async (transaction) => {
      const store = transaction.objectStore(table)
      const stored = await readBuckets(store, brandId, ids)
      const { written, buckets } = mergeNewer(brandId, rows, stored, isNewer)
      if (written.length === 0) return { written }
      const write = await countWrite(transaction.objectStore('looks'), brandId)
      await Promise.all(buckets.map((bucket) => store.put(bucket)))
      return { written, write }
    })
  }

  /** Deletes rows, except those that were restored since (`isRestored`). Returns the number of the write. */
  deleteRows(
    table: TableName,
    brandId: string,
    ids: readonly string[],
    deleted: DeletedVersions = inAnyVersion(ids),
  ): Promise<CountedWrite> {
    const idSet = new Set(ids)
    return this.database.run([table, 'looks'], 'readwrite', async (transaction) => {
      const store = transaction.objectStore(table)
      const buckets = changedBucketsWithout(
        await readBuckets(store, brandId, ids),
        (row) => idSet.has(row.id) && !isRestored(row, deleted),
      )
      const write = await countWrite(transaction.objectStore('looks'), brandId)
      await Promise.all(
        buckets.map((bucket) => (bucket.rows.length > 0 ? store.put(bucket) : store.delete([brandId, bucket.bucket]))),
      )
      return write
    })
  }

  /**
   * Reads the number of the last write of a brand's rows, and the stored first look at them, if there is one. Undefined if nothing was
   * written yet, or if nothing was written since the brand or all first looks were removed.
   */
  getLook(brandId: string): Promise<StoredLook | undefined> {
    return this.database.run('looks', 'readonly', (transaction) => transaction.objectStore('looks').get(brandId))
  }

  /**
   * Stores a first look at the rows as they are after the write with the number `writes`. Does nothing if another write followed,
   * if a first look is stored already, or if the brand was removed.
   */
  putLook(brandId: string, writes: number, look: FirstLook): Promise<void> {
    return this.database.run(['looks', 'states'], 'readwrite', async (transaction) => {
      const looks = transaction.objectStore('looks')
      const [storedLook, state] = await Promise.all([
        looks.get(brandId),
        transaction.objectStore('states').getKey(brandId),
      ])
      if ((storedLook?.writes ?? 0) === writes && !storedLook?.look && state)
        await looks.put({ brand_id: brandId, writes, look })
    })
  }

  /** Reads the stored state of a brand. Undefined if none is stored. */
  getState(brandId: string): Promise<BrandState | undefined> {
    return this.database.run('states', 'readonly', (transaction) => transaction.objectStore('states').get(brandId))
  }

  /**
   * Stores the state of a brand. Unless `isNew` is true, the state must replace a stored one. If there is none, another tab has deleted the rows
   * to make room, so a state that says which rows are complete would be wrong. Returns whether the state was stored.
   */
  putState(state: BrandState, isNew: boolean): Promise<boolean> {
    return this.database.run('states', 'readwrite', async (transaction) => {
      const states = transaction.objectStore('states')
      if (!isNew && (await states.getKey(state.brandId)) === undefined) return false
      await states.put(state)
      return true
    })
  }

  /** Returns the ids of the brands that have a state in this database. */
  brandIds(): Promise<string[]> {
    return this.database.run('states', 'readonly', (transaction) => transaction.objectStore('states').getAllKeys())
  }

  getList(brandId: string, key: string): Promise<StoredList | undefined> {
    return this.database.run('lists', 'readonly', (transaction) => transaction.objectStore('lists').get([brandId, key]))
  }

  putList(list: StoredList): Promise<void> {
    return this.database.run('lists', 'readwrite', async (transaction) => {
      await transaction.objectStore('lists').put(list)
    })
  }

  /** Removes all data of a brand. */
  deleteBrand(brandId: string): Promise<void> {
    const range = IDBKeyRange.bound([brandId, ''], [brandId, '\uffff'])
    return this.database.run([...tableNames, 'lists', 'states', 'looks'], 'readwrite', async (transaction) => {
      for (const name of [...tableNames, 'lists'] as const) await transaction.objectStore(name).delete(range)
      for (const name of ['states', 'looks'] as const) await transaction.objectStore(name).delete(brandId)
    })
  }

  /**
   * Frees space: removes all lists and first looks, all rows of `droppedTables` and, if `brandId` is given, the rows and states of all other
   * brands.
   */
  keepOnly(brandId: string | null, droppedTables: readonly TableName[]): Promise<void> {
    const keysBefore = IDBKeyRange.upperBound([brandId ?? '', ''], true)
    const keysAfter = IDBKeyRange.lowerBound([brandId ?? '', '\uffff'], true)
    return this.database.run([...tableNames, 'lists', 'states', 'looks'], 'readwrite', async (transaction) => {
      await transaction.objectStore('looks').clear()
      for (const table of tableNames) {
        const store = transaction.objectStore(table)
        if (droppedTables.includes(table)) await store.clear()
        else if (brandId !== null) await Promise.all([store.delete(keysBefore), store.delete(keysAfter)])
      }
      await transaction.objectStore('lists').clear()
      if (brandId === null) return
      const states = transaction.objectStore('states')
      for (const key of await states.getAllKeys()) if (key !== brandId) await states.delete(key)
    })
  }

  /** Removes all states, first looks and rows. States and first looks are removed first, because without the rows they would be wrong. */
  async clear(): Promise<void> {
    for (const name of ['states', 'looks', ...tableNames] as const)
      await this.database.run(name, 'readwrite', async (transaction) => {
        await transaction.objectStore(name).clear()
      })
  }

  close(): void {
    this.database.close()
  }
}

const databases = databasePerUser((device, userId) => new LocalDatabase(device, userId))

/** Returns the local database of a user. Throws DatabaseClosedError if that user is not signed in. */
export const localDatabase = databases.open

/** Closes the local database of a device (after a sign-out, or before another user's is opened). */
export const closeLocalDatabase = databases.close

/** Reads the buckets in which rows with these ids are stored. The result has undefined in place of a bucket that is not stored. */
function readBuckets(
  store: { get(key: [string, string]): Promise<Bucket | undefined> },
  brandId: string,
  ids: readonly string[],
): Promise<(Bucket | undefined)[]> {
  return Promise.all(bucketsOf(ids).map((bucket) => store.get([brandId, bucket])))
}
