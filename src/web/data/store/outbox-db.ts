import type { Device } from '#web/data/browser/device.ts'
import type { DBSchema } from 'idb'
import { outboxDatabaseName } from '#web/data/session/stored-user.ts'
import { markOutOfDate } from './out-of-date.ts'
import type { Operation } from './operation.ts'
import { isOfNewerShape, type StoredOperation, upgradeOperation, withShape } from './operation-shape.ts'
import { databasePerUser } from './per-user.ts'
import { type Upgrade, UserDatabase } from './user-database.ts'

const storeName = 'operations'

/** An operation to which the store has not given its `seq` yet. */
type NewOperation = Omit<StoredOperation, 'seq'> & { seq?: number }

interface Stores extends DBSchema {
  operations: { key: number; value: NewOperation; indexes: { id: string } }
}

/** The versions of the outbox database. A new version is added at the end and must keep all operations. */
const upgrades: readonly Upgrade[] = [
  {
    version: 10,
    up: (database) => {
      const operations = database.createObjectStore(storeName, { keyPath: 'seq', autoIncrement: true })
      operations.createIndex('id', 'id', { unique: true })
    },
  },
]

/** The unsent operations of a user on this device. Writes wait for the disk, so that 'Saved on this device' is true even after a crash. */
export class OutboxDatabase {
  private readonly database: UserDatabase<Stores>

  constructor(
    private readonly device: Device,
    readonly userId: string,
  ) {
    this.database = new UserDatabase(device, outboxDatabaseName(userId), userId, upgrades, 'strict')
  }

  /**
   * Reads all operations in the order of sending, and upgrades them to the shape of this version. If a newer version of the app wrote some
   * of them, the page asks for a reload.
   */
  async readAll(): Promise<Operation[]> {
    const storedEntries = await this.database.run(storeName, 'readonly', (transaction) =>
      transaction.objectStore(storeName).getAll(),
    )
    const storedWithSeq = storedEntries.filter(hasSeq)
    if (storedWithSeq.some(isOfNewerShape)) markOutOfDate(this.device)
    return storedWithSeq.map(upgradeOperation)
  }

  /** Reads the `seq` of all operations, in order. */
  readSequence(): Promise<number[]> {
    return this.database.run(storeName, 'readonly', (transaction) => transaction.objectStore(storeName).getAllKeys())
  }

  /** Adds an operation at the end. Returns its `seq`. */
  add(operation: Omit<Operation, 'seq'>): Promise<number> {
    return this.database.run(storeName, 'readwrite', (transaction) => {
      const added = transaction.objectStore(storeName).add(withShape(operation))
      // Does not wait for the event of `add`: a page that is left may not receive it, and its transaction would not be committed.
      transaction.commit()
      return added
    })
  }

  /**
   * Removes some operations and replaces others in one transaction. Does not replace an operation that another tab has removed or that a
   * newer version wrote. Returns the operations that were written.
   */
  update(removeIds: readonly string[], replacements: readonly Operation[]): Promise<Operation[]> {
    return this.database.run(storeName, 'readwrite', async (transaction) => {
      const operations = transaction.objectStore(storeName)
      const byId = operations.index('id')
      const removedKeys = await Promise.all(removeIds.map((id) => byId.getKey(id)))
      await Promise.all(removedKeys.filter((seq) => seq !== undefined).map((seq) => operations.delete(seq)))
      const storedOperations = await Promise.all(replacements.map(({ seq }) => operations.get(seq)))
      const writable = replacements.filter(
        (_, index) => storedOperations[index] && !isOfNewerShape(storedOperations[index]),
      )
      await Promise.all(writable.map((operation) => operations.put(withShape(operation))))
      return writable
    })
  }

  close(): void {
    this.database.close()
  }
}

function hasSeq(added: NewOperation): added is StoredOperation {
  return added.seq !== undefined
}

const databases = databasePerUser((device, userId) => new OutboxDatabase(device, userId))

/** Returns the outbox database of a user. Throws DatabaseClosedError if that user is not signed in. */
export const outboxDatabase = databases.open

/** Closes the outbox database of a device (after a sign-out, or before another user's is opened). */
export const closeOutboxDatabase = databases.close
