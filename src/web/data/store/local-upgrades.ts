import { tableNames } from '#web/data/server/tables.ts'
import type { Upgrade } from './user-database.ts'

/** The tables of version 10. */
const firstTables = ['deal_stages', 'memberships', 'tasks', 'deals', 'companies', 'contacts'] as const

/**
 * The versions of the local database. A new version is added at the end, with the function that upgrades to it. Versions go up by ten, because
 * the library that wrote the first two multiplied them by ten. Each table that was added later has a version after 40, so the next upgrade is
 * to version 140. One that changes rows, or what a look consists of, clears `looks`.
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
    // From 40 on, writes of rows are counted beside the looks. A version that does not count them must not write any more.
    version: 40 + tableNames.length - firstTables.length,
    up: (database) => {
      if (!database.objectStoreNames.contains('looks')) database.createObjectStore('looks', { keyPath: 'brand_id' })
      for (const table of tableNames)
        if (!database.objectStoreNames.contains(table))
          database.createObjectStore(table, { keyPath: ['brand_id', 'id'] })
    },
  },
]

function changeAll(transaction: IDBTransaction, store: string, change: object): void {
  const request = transaction.objectStore(store).openCursor()
  request.addEventListener('success', () => {
    const cursor = request.result
    cursor?.update({ ...cursor.value, ...change })
    cursor?.continue()
  })
}
