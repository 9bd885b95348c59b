import { tableNames } from '#web/data/server/tables.ts'
import { groupIntoBuckets } from './bucket.ts'
import type { Upgrade } from './user-database.ts'

/** The tables that version 10 of the local database had. */
const firstTables = ['deal_stages', 'memberships', 'tasks', 'deals', 'companies', 'contacts'] as const

/** The number of tables that version 140 of the local database had. */
const tableCountOf140 = 11

const bucketKey = { keyPath: ['brand_id', 'bucket'] }

/**
 * The versions of the local database, each with the function that upgrades to it. The first versions are multiples of ten, because the library that
 * wrote them multiplied its numbers by ten. The last version is 140 plus the number of tables that were added since version 140. To add an upgrade
 * of another kind: give it version 200, insert it before the last one, and let the last version count from 200. An upgrade that changes rows, or the
 * content of a first look, clears `looks`.
 */
export const localUpgrades: readonly Upgrade[] = [
  {
    version: 10,
    up: (database) => {
      for (const table of firstTables) database.createObjectStore(table, { keyPath: ['brand_id', 'id'] })
      database.createObjectStore('lists', { keyPath: ['brand_id', 'key'] })
      database.createObjectStore('states', { keyPath: 'brandId' })
    },
  },
  {
    // Rows have new columns. The old rows stay readable offline, but get `rev` 0, and the cursor is removed: the next pull starts from the
    // beginning and replaces every row with `rev` 0 (`isNewer` in store-rows.ts).
    version: 20,
    up: async (_, transaction) => {
      const changed = firstTables.map((table) => changeAll(transaction, table, { rev: 0 }))
      await Promise.all([...changed, changeAll(transaction, 'states', { cursor: null })])
    },
  },
  // From this version on, lists are keyed by their query. Lists that are keyed by a name would never be read again.
  { version: 30, up: (_, transaction) => void transaction.objectStore('lists').clear() },
  // From this version on, writes of rows are counted in `looks`. An older version, which does not count them, must no longer write.
  {
    version: 45,
    up: (database) => {
      if (!database.objectStoreNames.contains('looks')) database.createObjectStore('looks', { keyPath: 'brand_id' })
    },
  },
  {
    // Rows are stored in buckets, which have another key, so each table gets a new store.
    version: 140,
    up: (database, transaction) => {
      for (const table of tableNames) {
        if (!database.objectStoreNames.contains(table)) continue
        const readRequest = transaction.objectStore(table).getAll()
        readRequest.addEventListener('success', () => {
          database.deleteObjectStore(table)
          const store = database.createObjectStore(table, bucketKey)
          for (const bucket of groupIntoBuckets(readRequest.result)) store.put(bucket)
        })
      }
    },
  },
  {
    version: 140 + tableNames.length - tableCountOf140,
    up: (database) => {
      for (const table of tableNames)
        if (!database.objectStoreNames.contains(table)) database.createObjectStore(table, bucketKey)
    },
  },
]

/** Copies `change` into every value of a store. Resolves when all values are changed, because the next upgrade reads them. */
function changeAll(transaction: IDBTransaction, store: string, change: object): Promise<void> {
  return new Promise((resolve) => {
    const request = transaction.objectStore(store).openCursor()
    request.addEventListener('success', () => {
      const cursor = request.result
      if (!cursor) return resolve()
      cursor.update({ ...cursor.value, ...change })
      cursor.continue()
    })
  })
}
