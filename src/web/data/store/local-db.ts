import { type Device, devicePart } from '#web/data/browser/device.ts'
import type { CurrencySum } from '#web/data/server/read-queries.ts'
import { type AnyRow, type TableName, tableNames } from '#web/data/server/tables.ts'
import { rowsDatabaseName } from '#web/data/session/stored-user.ts'
import type { BrandState } from './brand-state.ts'
import { type Upgrade, type UpgradeTransaction, UserDatabase } from './user-database.ts'

/** What the server last answered to a query of a windowed table: the ids of its first rows, or its figures. */
export interface StoredList {
  brand_id: string
  key: string
  ids: readonly (string | null)[]
  total: number
  sums?: readonly CurrencySum[]
}

/**
 * What is stored, version by version; a new one is added at the end, with its way up. The steps of ten are those of the library that
 * wrote the first two.
 */
const upgrades: readonly Upgrade[] = [
  {
    version: 10,
    up: (database) => {
      for (const table of tableNames) database.createObjectStore(table, { keyPath: ['brand_id', 'id'] })
      database.createObjectStore('lists', { keyPath: ['brand_id', 'key'] })
      database.createObjectStore('states', { keyPath: 'brandId' })
    },
  },
  {
    // Rows got columns. Those of before stay, to be seen without a network; the next pull begins anew and replaces each (`rev` 0).
    version: 20,
    up: async (_, transaction) => {
      for (const table of tableNames) await changeAll(transaction, table, { rev: 0 })
      await changeAll(transaction, 'states', { cursor: null })
    },
  },
  // Lists are kept by the query that they answer; those kept by name would never be read again.
  { version: 30, up: (_, transaction) => transaction.objectStore('lists').clear() },
]

/**
 * The rows of one user on this device: a copy that the server can fill again at any time, so it is written without waiting for the
 * disk. What only exists here (unsent operations) is in the outbox database, which is strict.
 */
export class LocalDatabase {
  private readonly database: UserDatabase

  constructor(
    device: Device,
    readonly userId: string,
  ) {
    this.database = new UserDatabase(device, rowsDatabaseName(userId), userId, upgrades, 'relaxed')
  }

  /** Rows of a brand in the order of their ids, after the id `after`. */
  readRows(table: TableName, brandId: string, after: string, limit: number): Promise<AnyRow[]> {
    const range = IDBKeyRange.bound([brandId, after], [brandId, '\uffff'], true, false)
    return this.database.run(table, 'readonly', (transaction) => transaction.objectStore(table).getAll(range, limit))
  }

  /** The rows with these ids, undefined for those that are not here. */
  getRows(table: TableName, brandId: string, ids: readonly string[]): Promise<(AnyRow | undefined)[]> {
    return this.database.run(table, 'readonly', (transaction) =>
      Promise.all(ids.map((id) => transaction.objectStore(table).get([brandId, id]))),
    )
  }

  /**
   * Writes those rows for which `isNewer` says so, and returns them. They are compared in the transaction that writes them: another tab
   * may have written since, and neither may set the other's row back.
   */
  putNewer(
    table: TableName,
    brandId: string,
    rows: readonly AnyRow[],
    isNewer: (row: AnyRow, kept: AnyRow | undefined) => boolean,
  ): Promise<AnyRow[]> {
    return this.database.run(table, 'readwrite', async (transaction) => {
      const store = transaction.objectStore(table)
      const kept = await Promise.all(rows.map(({ id }) => store.get([brandId, id])))
      const newer = rows.filter((row, index) => isNewer(row, kept[index]))
      await Promise.all(newer.map((row) => store.put(row)))
      return newer
    })
  }

  deleteRows(table: TableName, brandId: string, ids: readonly string[]): Promise<void> {
    return this.database.run(table, 'readwrite', async (transaction) => {
      await Promise.all(ids.map((id) => transaction.objectStore(table).delete([brandId, id])))
    })
  }

  getState(brandId: string): Promise<BrandState | undefined> {
    return this.database.run('states', 'readonly', (transaction) => transaction.objectStore('states').get(brandId))
  }

  putState(state: BrandState): Promise<void> {
    return this.database.run('states', 'readwrite', async (transaction) => {
      await transaction.objectStore('states').put(state)
    })
  }

  /** The ids of the brands that something is known of here. */
  brandIds(): Promise<string[]> {
    return this.database.run(
      'states',
      'readonly',
      (transaction) => transaction.objectStore('states').getAllKeys() as Promise<string[]>,
    )
  }

  getList(brandId: string, key: string): Promise<StoredList | undefined> {
    return this.database.run('lists', 'readonly', (transaction) => transaction.objectStore('lists').get([brandId, key]))
  }

  putList(list: StoredList): Promise<void> {
    return this.database.run('lists', 'readwrite', async (transaction) => {
      await transaction.objectStore('lists').put(list)
    })
  }

  /** Removes everything of a brand. */
  deleteBrand(brandId: string): Promise<void> {
    const range = IDBKeyRange.bound([brandId, ''], [brandId, '\uffff'])
    return this.database.run([...tableNames, 'lists', 'states'], 'readwrite', async (transaction) => {
      for (const name of [...tableNames, 'lists']) await transaction.objectStore(name).delete(range)
      await transaction.objectStore('states').delete(brandId)
    })
  }

  /** Makes room: removes the lists, everything of other brands, and of this one the rows of these tables. */
  keepOnly(brandId: string | null, droppedTables: readonly TableName[]): Promise<void> {
    const before = IDBKeyRange.upperBound([brandId ?? '', ''], true)
    const after = IDBKeyRange.lowerBound([brandId ?? '', '\uffff'], true)
    return this.database.run([...tableNames, 'lists', 'states'], 'readwrite', async (transaction) => {
      for (const table of tableNames) {
        const store = transaction.objectStore(table)
        if (droppedTables.includes(table)) await store.clear()
        else if (brandId !== null) await Promise.all([store.delete(before), store.delete(after)])
      }
      await transaction.objectStore('lists').clear()
      if (brandId === null) return
      const states = transaction.objectStore('states')
      for (const key of await states.getAllKeys()) if (key !== brandId) await states.delete(key)
    })
  }

  /** Removes every row, and first what says that tables are complete. */
  async clear(): Promise<void> {
    for (const name of ['states', ...tableNames])
      await this.database.run(name, 'readwrite', async (transaction) => {
        await transaction.objectStore(name).clear()
      })
  }

  close(): void {
    this.database.close()
  }
}

const opened = devicePart((): { database?: LocalDatabase | undefined } => ({}))

/** The local database of a user; one a user, opened once a tab. Throws DatabaseClosedError where that user is not signed in. */
export function localDatabase(device: Device, userId: string): LocalDatabase {
  const present = opened(device)
  if (present.database?.userId === userId) return present.database
  present.database?.close()
  present.database = undefined
  present.database = new LocalDatabase(device, userId)
  return present.database
}

/** Closes the local database (sign-out, another user). */
export function closeLocalDatabase(device: Device): void {
  opened(device).database?.close()
  opened(device).database = undefined
}

async function changeAll(transaction: UpgradeTransaction, store: string, change: object): Promise<void> {
  let cursor = await transaction.objectStore(store).openCursor()
  for (; cursor; cursor = await cursor.continue()) await cursor.update({ ...(cursor.value as object), ...change })
}
