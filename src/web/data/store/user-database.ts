import type { Device } from '#web/data/browser/device.ts'
import { type IDBPDatabase, type IDBPTransaction, wrap } from 'idb'
import { sessionState } from '#web/data/session/session.ts'
import { noteNewerCopy } from './newer-copy.ts'

export type UpgradeTransaction = IDBPTransaction<unknown, string[], 'versionchange'>

/** Upgrades a database from the version before to this version. */
export interface Upgrade {
  version: number
  up: (database: IDBPDatabase, transaction: UpgradeTransaction) => Promise<void> | void
}

type Transaction = IDBPTransaction<unknown, string[], 'readwrite'>

/** The user of the database is not signed in, or another tab has deleted or upgraded it. */
export class DatabaseClosedError extends Error {
  override readonly name = 'DatabaseClosedError'
}

/**
 * A database of one user in IndexedDB. It opens only while that user is signed in, so that an answer after the sign-out is not stored. A
 * database of a newer version of the app is not opened, and the page asks for a reload. When another tab deletes or upgrades the
 * database, this tab closes it and does not open it again.
 */
export class UserDatabase {
  private opening: Promise<IDBPDatabase> | undefined
  private isClosed = false

  constructor(
    private readonly device: Device,
    private readonly name: string,
    userId: string,
    /** All versions in order. */
    private readonly upgrades: readonly Upgrade[],
    /** `strict`: written data survives a crash of the machine. */
    private readonly durability: IDBTransactionDurability,
  ) {
    if (sessionState(device).get().session?.userId !== userId)
      throw new DatabaseClosedError('Its user is not signed in.')
  }

  /** Runs `work` in a transaction over these stores. Resolves when it is written. Rejects and writes nothing when any part fails. */
  async run<Result>(
    stores: string | readonly string[],
    mode: 'readonly' | 'readwrite',
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const database = await this.open()
    // After a close the error must be this one, not IndexedDB's own.
    if (this.isClosed) throw new DatabaseClosedError('The database was closed.')
    const options = { durability: this.durability }
    // IndexedDB refuses writes in a transaction that is `readonly`.
    const transaction = database.transaction([stores].flat(), mode as 'readwrite', options)
    const [result] = await Promise.all([
      work(transaction).catch((error: unknown) => {
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

  private open(): Promise<IDBPDatabase> {
    if (this.isClosed) return Promise.reject(new DatabaseClosedError('The database was closed.'))
    this.opening ??= this.openNow().catch((error: unknown) => {
      // The next call tries again.
      this.opening = undefined
      if (error instanceof Error && error.name === 'VersionError') noteNewerCopy(this.device)
      throw error
    })
    return this.opening
  }

  private async upgradeFrom(database: IDBPDatabase, from: number, transaction: UpgradeTransaction): Promise<void> {
    for (const { version, up } of this.upgrades) if (version > from) await up(database, transaction)
  }

  private async openNow(): Promise<IDBPDatabase> {
    const request = this.device.indexedDB.open(this.name, this.upgrades.at(-1)?.version)
    request.addEventListener('upgradeneeded', ({ oldVersion }) => {
      const transaction = wrap(request.transaction as IDBTransaction) as unknown as UpgradeTransaction
      this.upgradeFrom(wrap(request.result), oldVersion, transaction).catch((error: unknown) => {
        console.error('The stored data could not be upgraded to this version of the app.', error)
        abort(transaction)
      })
    })
    const database = await (wrap(request) as Promise<IDBPDatabase>)
    database.addEventListener('close', () => {
      this.opening = undefined
    })
    database.addEventListener('versionchange', ({ newVersion }) => {
      if (newVersion) noteNewerCopy(this.device)
      this.close()
    })
    return database
  }
}

function abort(transaction: Transaction | UpgradeTransaction): void {
  // `done` rejects with the error of the failed work, which is thrown already.
  transaction.done.catch(() => {})
  try {
    transaction.abort()
  } catch {
    // It was aborted already.
  }
}
