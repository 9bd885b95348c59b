import type { Device } from '#web/data/browser/device.ts'
import { type IDBPDatabase, type IDBPTransaction, type StoreNames, wrap } from 'idb'
import { wait } from '#web/data/browser/wait.ts'
import { sessionState } from '#web/data/session/session.ts'
import { markOutOfDate } from './out-of-date.ts'

/**
 * Upgrades a database from the previous version to `version`. It uses IndexedDB directly, because the stores of an older version do not
 * have the schema of the current version.
 */
export interface Upgrade {
  version: number
  up: (database: IDBDatabase, transaction: IDBTransaction) => Promise<void> | void
}

/**
 * Maximum time to wait until a database opens (ms). A tab that does not respond can prevent that: it keeps an older version of the database open,
 * or delays a deletion. Until the database opens after all, each further access fails at once.
 */
const openingLimitMs = 10_000

/** Is thrown if the user of the database is not signed in or has signed out, or if another tab has deleted or upgraded the database. */
export class DatabaseClosedError extends Error {
  override readonly name = 'DatabaseClosedError'
}

/**
 * A database of one user in IndexedDB. It opens only while that user is signed in, so that an answer after the sign-out is not stored. A database
 * of a newer version of the app is not opened, and the page asks for a reload. When another tab deletes or upgrades the database, this tab closes
 * it and does not open it again. `Schema` is the type of the stores after all upgrades.
 */
export class UserDatabase<Schema = unknown> {
  private opening: Promise<IDBPDatabase<Schema>> | undefined
  private isClosed = false
  /** Whether an attempt to open the database has taken too long and has not ended yet. */
  private isDelayed = false

  constructor(
    private readonly device: Device,
    private readonly name: string,
    userId: string,
    /** The upgrades to all versions, in order. */
    private readonly upgrades: readonly Upgrade[],
    /** With `strict`, written data survives a crash of the machine. */
    private readonly durability: IDBTransactionDurability,
  ) {
    if (sessionState(device).get().session?.userId !== userId) throw new DatabaseClosedError('The user has signed out.')
  }

  /**
   * Runs `work` in a transaction over these stores. Resolves when the transaction is written. Rejects and writes nothing if any part
   * fails.
   */
  async run<Name extends StoreNames<Schema> & string, Mode extends 'readonly' | 'readwrite', Result>(
    stores: Name | readonly Name[],
    mode: Mode,
    work: (transaction: IDBPTransaction<Schema, Name[], Mode>) => Promise<Result>,
  ): Promise<Result> {
    const database = await this.open()
    // After the database was closed, callers must get this error and not an error of IndexedDB.
    if (this.isClosed) throw new DatabaseClosedError('The database was closed.')
    const names = typeof stores === 'string' ? [stores] : [...stores]
    const transaction = database.transaction(names, mode, { durability: this.durability })
    const [result] = await Promise.all([
      work(transaction).catch((error: unknown) => {
        // `done` also rejects if the work fails. Its error is ignored, because the error of the work is thrown.
        transaction.done.catch(() => {})
        abort(transaction)
        throw error
      }),
      transaction.done,
    ])
    return result
  }

  close(): void {
    this.isClosed = true
    this.opening?.then(
      (database) => database.close(),
      () => {},
    )
  }

  private open(): Promise<IDBPDatabase<Schema>> {
    if (this.isClosed) return Promise.reject(new DatabaseClosedError('The database was closed.'))
    this.opening ??= this.openNow().catch((error: unknown) => {
      // After a failure, the next call tries to open the database again.
      if (!this.isDelayed) this.opening = undefined
      if (error instanceof Error && error.name === 'VersionError') markOutOfDate(this.device)
      throw error
    })
    return this.opening
  }

  private async upgradeFrom(database: IDBDatabase, from: number, transaction: IDBTransaction): Promise<void> {
    for (const { version, up } of this.upgrades) if (version > from) await up(database, transaction)
  }

  private async openNow(): Promise<IDBPDatabase<Schema>> {
    const request = this.device.indexedDB.open(this.name, this.upgrades.at(-1)?.version)
    request.addEventListener('upgradeneeded', ({ oldVersion }) => {
      const { result, transaction } = request
      if (!transaction) return
      this.upgradeFrom(result, oldVersion, transaction).catch((error: unknown) => {
        console.error('The stored data could not be upgraded.', error)
        abort(transaction)
      })
    })
    const connection = wrap(request)
    const opened = await Promise.race([connection, wait(this.device, openingLimitMs)])
    if (!opened) {
      this.isDelayed = true
      // This connection is not used. When it has opened or failed, the next access opens another one.
      void connection
        .then(
          (late) => late?.close(),
          () => {},
        )
        .then(() => {
          this.isDelayed = false
          this.opening = undefined
        })
      throw new Error('The database does not open.')
    }
    // After all upgrades, the stores have the current schema.
    const database = opened as IDBPDatabase<Schema>
    database.addEventListener('close', () => {
      this.opening = undefined
    })
    database.addEventListener('versionchange', ({ newVersion }) => {
      if (newVersion) markOutOfDate(this.device)
      this.close()
    })
    return database
  }
}

function abort(transaction: Pick<IDBTransaction, 'abort'>): void {
  try {
    transaction.abort()
  } catch {
    // The transaction may already be aborted.
  }
}
