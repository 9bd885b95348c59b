import type { Device } from '#web/data/browser/device.ts'
import type { CurrencySum } from '#web/data/server/read-queries.ts'
import { type AnyRow, type TableName, tableNames } from '#web/data/server/tables.ts'
import type { DBSchema } from 'idb'
import { rowsDatabaseName } from '#web/data/session/stored-user.ts'
import type { BrandState } from './brand-state.ts'
import { perUser } from './per-user.ts'
import { type Upgrade, UserDatabase } from './user-database.ts'

/** What the server last answered to a query of a windowed table: the ids of its first rows, or its figures. */
export interface StoredList {
  brand_id: string
  key: string
  ids: readonly (string | null)[]
  total: number
  sums?: readonly CurrencySum[]
  /** Of a record's timeline: its first entries; of the bell: its notifications. Both as they are read again. */
  timeline?: unknown
  inbox?: { notifications: readonly unknown[]; readHere: readonly string[] }
}

type RowStores = { [Table in TableName]: { key: [brandId: string, id: string]; value: AnyRow } }

interface Stores extends DBSchema, RowStores {
  lists: { key: [brandId: string, key: string]; value: StoredList }
  states: { key: string; value: BrandState }
}

/** The tables of version 10. */
const firstTables = ['deal_stages', 'memberships', 'tasks', 'deals', 'companies', 'contacts'] as const

/**
 * The versions of the database. A new version is added at the end, with the function that upgrades to it. Versions go up by ten, because
 * the library that wrote the first two multiplied them by ten. Each table that was added later has a version after 30, so the next upgrade is
 * to version 130.
 */
const upgrades: readonly Upgrade[] = [
  {
    version: 10,
    up: (database) => {
      for (const table of firstTables) database.createObjectStore(table, { keyPath: ['brand_id', 'id'] })
      database.createObjectStore('lists', { keyPath: ['brand_id', 'key'] })
      database.createObjectStore('states', { keyPath: 'brandId' })
    },
  },
  {
    // Rows have new columns. The old rows stay readable without a network. The next pull starts from the beginning and replaces them (`rev` 0).
    version: 20,
    up: (_, transaction) => {
      for (const table of firstTables) changeAll(transaction, table, { rev: 0 })
      changeAll(transaction, 'states', { cursor: null })
    },
  },
  // The key of a list is its query now. Lists with a name as their key would never be read again.
  { version: 30, up: (_, transaction) => void transaction.objectStore('lists').clear() },
  {
    version: 30 + tableNames.length - firstTables.length,
    up: (database) => {
      for (const table of tableNames)
        if (!database.objectStoreNames.contains(table))
          database.createObjectStore(table, { keyPath: ['brand_id', 'id'] })
    },
  },
]

/** The version of the database that this version of the app writes. */
export const rowsVersion = upgrades.at(-1)?.version

/**
 * The rows of one user on this device. The server can fill this copy again at any time, so writes do not wait for the disk. Unsent
 * operations exist only on this device and are in the outbox database, whose writes do.
 */
export class LocalDatabase {
  private readonly database: UserDatabase<Stores>

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

  /** The rows with these ids; undefined for rows that are not stored. */
  getRows(table: TableName, brandId: string, ids: readonly string[]): Promise<(AnyRow | undefined)[]> {
    return this.database.run(table, 'readonly', (transaction) =>
      Promise.all(ids.map((id) => transaction.objectStore(table).get([brandId, id]))),
    )
  }

  /**
   * Writes the rows that are newer by `isNewer`, and returns them. Compares them in the transaction that writes them, so that two tabs
   * cannot replace each other's newer rows.
   */
  putNewer(
    table: TableName,
    brandId: string,
    rows: readonly AnyRow[],
    isNewer: (row: AnyRow, stored: AnyRow | undefined) => boolean,
  ): Promise<AnyRow[]> {
    return this.database.run(table, 'readwrite', async (transaction) => {
      const store = transaction.objectStore(table)
      const stored = await Promise.all(rows.map(({ id }) => store.get([brandId, id])))
      const newer = rows.filter((row, index) => isNewer(row, stored[index]))
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

  /** The ids of the brands that have a state in this database. */
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

  /** Removes everything of a brand. */
  deleteBrand(brandId: string): Promise<void> {
    const range = IDBKeyRange.bound([brandId, ''], [brandId, '\uffff'])
    return this.database.run([...tableNames, 'lists', 'states'], 'readwrite', async (transaction) => {
      for (const name of [...tableNames, 'lists'] as const) await transaction.objectStore(name).delete(range)
      await transaction.objectStore('states').delete(brandId)
    })
  }

  /** Frees space: removes all lists, all rows of other brands and of `droppedTables`. */
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

  /** Removes all states and rows. The states go first, because they mark tables as complete. */
  async clear(): Promise<void> {
    for (const name of ['states', ...tableNames] as const)
      await this.database.run(name, 'readwrite', async (transaction) => {
        await transaction.objectStore(name).clear()
      })
  }

  close(): void {
    this.database.close()
  }
}

const databases = perUser((device, userId) => new LocalDatabase(device, userId))

/** The local database of a user. Throws DatabaseClosedError where that user is not signed in. */
export const localDatabase = databases.open

/** Closes the local database (sign-out, another user). */
export const closeLocalDatabase = databases.close

function changeAll(transaction: IDBTransaction, store: string, change: object): void {
  const request = transaction.objectStore(store).openCursor()
  request.addEventListener('success', () => {
    const cursor = request.result
    cursor?.update({ ...cursor.value, ...change })
    cursor?.continue()
  })
}
