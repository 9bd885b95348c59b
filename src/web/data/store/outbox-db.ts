import { Dexie, type Table } from 'dexie'
import { outboxDatabaseName } from '#web/data/session/device.ts'
import { guarded } from './guarded-db.ts'
import type { Operation } from './operation.ts'

interface OutboxDatabase {
  dexie: Dexie
  operations: Table<Operation, number, Omit<Operation, 'seq'>>
}

/** Operations of every version so far are understood; raise it with an upgrade that keeps each of them. */
const version = 1

let opened: { userId: string; database: OutboxDatabase } | undefined

/** The unsent operations of a user. Strict: what a person was told is saved on this device survives a kill. */
export function outboxDatabase(userId: string): OutboxDatabase {
  if (opened?.userId === userId && !opened.database.dexie.hasFailed()) return opened.database
  opened?.database.dexie.close()
  const dexie = guarded(
    new Dexie(outboxDatabaseName(userId), { chromeTransactionDurability: 'strict' }),
    userId,
    version,
  )
  dexie.version(version).stores({ operations: '++seq,&id' })
  opened = { userId, database: { dexie, operations: dexie.table('operations') } }
  return opened.database
}

/** Lets go of it (sign-out, another user). */
export function closeOutboxDatabase(): void {
  opened?.database.dexie.close()
  opened = undefined
}
