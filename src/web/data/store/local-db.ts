import { Dexie, type Table, type Transaction } from 'dexie'
import type { BrandState } from './brand-state.ts'
import { rowsDatabaseName } from '#web/data/session/device.ts'
import { guarded } from './guarded-db.ts'
import type { CurrencySum } from '#web/data/server/read-queries.ts'
import { type AnyRow, type TableName, tableNames } from '#web/data/server/tables.ts'

/** What the server last answered to a query of a windowed table: the ids of its first rows, or its figures. */
export interface StoredList {
  brand_id: string
  key: string
  ids: readonly (string | null)[]
  total: number
  sums?: readonly CurrencySum[]
}

/**
 * The rows of one user on this device: a copy that the server can fill again at any time, so it is written without waiting for the
 * disk. What only exists here (unsent operations) is in the outbox database, which is strict.
 */
export interface LocalDatabase {
  dexie: Dexie
  rows(table: TableName): Table<AnyRow, [string, string]>
  lists: Table<StoredList, [string, string]>
  states: Table<BrandState, string>
}

/** Raised when rows get columns that those kept by an earlier version of the app lack. */
const version = 2

let opened: { userId: string; database: LocalDatabase } | undefined

/** The local database of a user; one a user, opened once a tab. */
export function localDatabase(userId: string): LocalDatabase {
  if (opened?.userId === userId && !opened.database.dexie.hasFailed()) return opened.database
  opened?.database.dexie.close()
  const dexie = guarded(
    new Dexie(rowsDatabaseName(userId), { chromeTransactionDurability: 'relaxed' }),
    userId,
    version,
  )
  const stores = Object.fromEntries(tableNames.map((table) => [table, '[brand_id+id]']))
  dexie
    .version(version)
    .stores({ ...stores, lists: '[brand_id+key]', states: 'brandId' })
    .upgrade(fetchAnew)
  const database: LocalDatabase = {
    dexie,
    rows: (table) => dexie.table(table),
    lists: dexie.table('lists'),
    states: dexie.table('states'),
  }
  opened = { userId, database }
  return database
}

/** Rows of an earlier version stay, to be seen without a network; the next pull begins anew and takes the place of each (`rev` 0). */
async function fetchAnew(transaction: Transaction): Promise<void> {
  for (const table of tableNames) await transaction.table(table).toCollection().modify({ rev: 0 })
  await transaction.table('states').toCollection().modify({ cursor: null })
}

/** Lets go of the local database (sign-out, another user). */
export function closeLocalDatabase(): void {
  opened?.database.dexie.close()
  opened = undefined
}
