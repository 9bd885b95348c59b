import { type Device, devicePart } from '#web/data/browser/device.ts'
import { outboxDatabaseName } from '#web/data/session/stored-user.ts'
import { noteNewerCopy } from './newer-copy.ts'
import type { Operation } from './operation.ts'
import { isOfNewerShape, type StoredOperation, upgradeOperation, withShape } from './operation-shape.ts'
import { type Upgrade, UserDatabase } from './user-database.ts'

const store = 'operations'

/** What is stored, version by version; a new one is added at the end and keeps each operation of before. */
const upgrades: readonly Upgrade[] = [
  {
    version: 10,
    up: (database) => {
      const operations = database.createObjectStore(store, { keyPath: 'seq', autoIncrement: true })
      operations.createIndex('id', 'id', { unique: true })
    },
  },
]

/** The unsent operations of a user. Strict: what a person was told is saved on this device survives a crash. */
export class OutboxDatabase {
  private readonly database: UserDatabase

  constructor(
    private readonly device: Device,
    readonly userId: string,
  ) {
    this.database = new UserDatabase(device, outboxDatabaseName(userId), userId, upgrades, 'strict')
  }

  /** All operations in the order of sending, in the shape of this version. Where a newer one wrote some, the page asks for a reload. */
  async readAll(): Promise<Operation[]> {
    const stored: StoredOperation[] = await this.database.run(store, 'readonly', (transaction) =>
      transaction.objectStore(store).getAll(),
    )
    if (stored.some(isOfNewerShape)) noteNewerCopy(this.device)
    return stored.map(upgradeOperation)
  }

  /** The places of all operations, in order. */
  readPlaces(): Promise<number[]> {
    return this.database.run(
      store,
      'readonly',
      (transaction) => transaction.objectStore(store).getAllKeys() as Promise<number[]>,
    )
  }

  /** Adds an operation at the end; returns its place. */
  add(operation: Omit<Operation, 'seq'>): Promise<number> {
    return this.database.run(
      store,
      'readwrite',
      (transaction) => transaction.objectStore(store).add(withShape(operation)) as Promise<number>,
    )
  }

  /**
   * Removes operations and writes others anew, in one transaction. What another tab has removed meanwhile does not come back, and what a
   * newer version wrote is not written over; returns those that were written.
   */
  update(removeIds: readonly string[], put: readonly Operation[]): Promise<Operation[]> {
    return this.database.run(store, 'readwrite', async (transaction) => {
      const operations = transaction.objectStore(store)
      const byId = operations.index('id')
      const removed = await Promise.all(removeIds.map((id) => byId.getKey(id)))
      await Promise.all(removed.filter((place) => place !== undefined).map((place) => operations.delete(place)))
      const present: (StoredOperation | undefined)[] = await Promise.all(put.map(({ seq }) => operations.get(seq)))
      const kept = put.filter((_, index) => present[index] && !isOfNewerShape(present[index]))
      await Promise.all(kept.map((operation) => operations.put(withShape(operation))))
      return kept
    })
  }

  close(): void {
    this.database.close()
  }
}

const opened = devicePart((): { database?: OutboxDatabase | undefined } => ({}))

/** The outbox database of a user, opened once a tab. Throws DatabaseClosedError where that user is not signed in. */
export function outboxDatabase(device: Device, userId: string): OutboxDatabase {
  const present = opened(device)
  if (present.database?.userId === userId) return present.database
  present.database?.close()
  present.database = undefined
  present.database = new OutboxDatabase(device, userId)
  return present.database
}

/** Closes it (sign-out, another user). */
export function closeOutboxDatabase(device: Device): void {
  opened(device).database?.close()
  opened(device).database = undefined
}
