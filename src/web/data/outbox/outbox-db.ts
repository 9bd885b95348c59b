import { Dexie, type Table } from 'dexie'
import { outboxDatabaseName } from '../device.ts'
import type { Operation } from './operation.ts'

interface OutboxDatabase {
  dexie: Dexie
  operations: Table<Operation, number, Omit<Operation, 'seq'>>
}

let opened: { userId: string; database: OutboxDatabase } | undefined

/** The unsent operations of a user. Strict: what a person was told is saved on this device survives a kill. */
export function outboxDatabase(userId: string): OutboxDatabase {
  if (opened?.userId === userId && !opened.database.dexie.hasFailed()) return opened.database
  opened?.database.dexie.close()
  const dexie = new Dexie(outboxDatabaseName(userId), { chromeTransactionDurability: 'strict' })
  dexie.version(1).stores({ operations: '++seq,&id' })
  dexie.on('versionchange', () => dexie.close())
  opened = { userId, database: { dexie, operations: dexie.table('operations') } }
  return opened.database
}

/** Lets go of it (sign-out, another user). */
export function closeOutboxDatabase(): void {
  opened?.database.dexie.close()
  opened = undefined
}
