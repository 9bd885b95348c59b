import { Dexie, type Table } from 'dexie'
import type { BrandState } from './brand-state.ts'
import { rowsDatabaseName } from './device.ts'
import { type AnyRow, type TableName, tableNames } from './tables.ts'

/** Page ids of a list of a windowed table, as the server last gave them. */
export interface StoredList {
  brand_id: string
  key: string
  ids: readonly (string | null)[]
  total: number
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

let opened: { userId: string; database: LocalDatabase } | undefined

/** The local database of a user; one a user, opened once a tab. */
export function localDatabase(userId: string): LocalDatabase {
  if (opened?.userId === userId && !opened.database.dexie.hasFailed()) return opened.database
  opened?.database.dexie.close()
  const dexie = new Dexie(rowsDatabaseName(userId), { chromeTransactionDurability: 'relaxed' })
  const stores = Object.fromEntries(tableNames.map((table) => [table, '[brand_id+id]']))
  dexie.version(1).stores({ ...stores, lists: '[brand_id+key]', states: 'brandId' })
  // Another tab wipes (sign-out): let go, and do not open again behind its back.
  dexie.on('versionchange', () => dexie.close())
  const database: LocalDatabase = {
    dexie,
    rows: (table) => dexie.table(table),
    lists: dexie.table('lists'),
    states: dexie.table('states'),
  }
  opened = { userId, database }
  return database
}

/** Lets go of the local database (sign-out, another user). */
export function closeLocalDatabase(): void {
  opened?.database.dexie.close()
  opened = undefined
}
