import type { Device } from '#web/data/browser/device.ts'
import { type IDBPDatabase, type IDBPTransaction, wrap } from 'idb'
import { sessionState } from '#web/data/session/session.ts'
import { noteNewerCopy } from './newer-copy.ts'

export type UpgradeTransaction = IDBPTransaction<unknown, string[], 'versionchange'>

/** A change of what is stored: brings a database of the version before to this version. */
export interface Upgrade {
  version: number
  up: (database: IDBPDatabase, transaction: UpgradeTransaction) => Promise<void> | void
}

type Transaction = IDBPTransaction<unknown, string[], 'readwrite'>

/** The database belongs to nobody who is signed in here, or another tab has taken it over. */
export class DatabaseClosedError extends Error {
  override readonly name = 'DatabaseClosedError'
}

/**
 * A database of one user in IndexedDB. It opens for nobody else, so that an answer that comes after the sign-out leaves no trace. One
 * that a newer version of the app has written is left alone, and the page asks for a reload. When another tab deletes or upgrades it,
 * this tab closes it and does not open it again.
 */
export class UserDatabase {
  private opening: Promise<IDBPDatabase> | undefined
  private isClosed = false

  constructor(
    private readonly device: Device,
    private readonly name: string,
    userId: string,
    /** From the first version on, in order. */
    private readonly upgrades: readonly Upgrade[],
    /** `strict`: what was written survives a crash of the machine. */
    private readonly durability: IDBTransactionDurability,
  ) {
    if (sessionState(device).get().session?.userId !== userId)
      throw new DatabaseClosedError('Its user is not signed in.')
  }

  /** Runs `work` in a transaction over these stores. Resolves once it is written; rejects, and writes nothing, where any part fails. */
  async run<Result>(
    stores: string | readonly string[],
    mode: 'readonly' | 'readwrite',
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const database = await this.open()
    // What comes here after a close must not fail with IndexedDB's own words.
    if (this.isClosed) throw new DatabaseClosedError('The database was closed.')
    const options = { durability: this.durability }
    // IndexedDB itself refuses a write in a transaction that only reads.
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
      // The next one tries again.
      this.opening = undefined
      if (error instanceof Error && error.name === 'VersionError') noteNewerCopy(this.device)
      throw error
    })
    return this.opening
  }

  private async bringUp(database: IDBPDatabase, from: number, transaction: UpgradeTransaction): Promise<void> {
    for (const { version, up } of this.upgrades) if (version > from) await up(database, transaction)
  }

  private async openNow(): Promise<IDBPDatabase> {
    const request = this.device.indexedDB.open(this.name, this.upgrades.at(-1)?.version)
    request.addEventListener('upgradeneeded', ({ oldVersion }) => {
      const transaction = wrap(request.transaction as IDBTransaction) as unknown as UpgradeTransaction
      this.bringUp(wrap(request.result), oldVersion, transaction).catch((error: unknown) => {
        console.error('What is stored here could not be brought to this version of the app.', error)
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
  // The rejection of `done` that follows is that of the failed work.
  transaction.done.catch(() => {})
  try {
    transaction.abort()
  } catch {
    // It has failed by itself.
  }
}
