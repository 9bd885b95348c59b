import { devicePart } from './device.ts'

const databaseName = 'banyan-session'
const storeName = 'values'

/**
 * A few small values that must survive a crash: the session, the user who is signed in, the last brand. They are in IndexedDB with strict durability,
 * because Chromium writes localStorage to the disk only seconds later. This file does not use the code of the other databases, so that the page
 * /auth, which loads it, stays small.
 */
class KeyValueStore {
  private opening: Promise<IDBDatabase> | undefined

  constructor(private readonly indexedDB: IDBFactory) {}

  async get(key: string): Promise<string | null> {
    const value = await this.run('readonly', (store): IDBRequest<string | undefined> => store.get(key))
    return value ?? null
  }

  async set(key: string, value: string): Promise<void> {
    await this.run('readwrite', (store) => store.put(value, key))
  }

  /** Stores a value that the app does not need or can fetch again. A failure, such as a full disk, is only logged. */
  async remember(key: string, value: string): Promise<void> {
    try {
      await this.set(key, value)
    } catch (error) {
      console.warn('A value could not be stored on this device.', error)
    }
  }

  async remove(key: string): Promise<void> {
    await this.run('readwrite', (store) => store.delete(key))
  }

  async keys(): Promise<string[]> {
    const keys = await this.run('readonly', (store) => store.getAllKeys())
    return keys.filter((key) => typeof key === 'string')
  }

  private async run<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const database = await this.open()
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(storeName, mode, { durability: 'strict' })
      const request = act(transaction.objectStore(storeName))
      transaction.addEventListener('complete', () => resolve(request.result))
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('IndexedDB failed.')))
    })
  }

  /** Opens the database. Rejects if the browser forbids it. */
  open(): Promise<IDBDatabase> {
    this.opening ??= this.openAnyVersion().catch((error: unknown) => {
      this.opening = undefined
      throw error
    })
    return this.opening
  }

  private async openAnyVersion(): Promise<IDBDatabase> {
    try {
      return await this.openAt(1)
    } catch (error) {
      // A newer version of the app has upgraded the database. Its values can still be read.
      if (error instanceof Error && error.name === 'VersionError') return this.openAt(undefined)
      throw error
    }
  }

  private openAt(version: number | undefined): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
      const request = this.indexedDB.open(databaseName, version)
      request.addEventListener('upgradeneeded', () => request.result.createObjectStore(storeName))
      request.addEventListener('success', () => {
        const database = request.result
        const release = () => {
          database.close()
          this.opening = undefined
        }
        database.addEventListener('versionchange', release)
        database.addEventListener('close', release)
        resolve(database)
      })
      request.addEventListener('error', () => {
        reject(request.error ?? new Error('IndexedDB cannot be opened.'))
      })
    })
  }
}

/** The key-value store of a device. */
export const keyValueStore = devicePart(({ indexedDB }) => new KeyValueStore(indexedDB))
