const databaseName = 'banyan-session'
const storeName = 'values'

let opening: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  opening ??= openPresent().catch((error: unknown) => {
    opening = undefined
    throw error
  })
  return opening
}

async function openPresent(): Promise<IDBDatabase> {
  try {
    return await openAt(1)
  } catch (error) {
    // A newer version of the app was here: its values are still values.
    if (error instanceof Error && error.name === 'VersionError') return openAt(undefined)
    throw error
  }
}

function openAt(version: number | undefined): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, version)
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(storeName))
    request.addEventListener('success', () => {
      const database = request.result
      const letGo = () => {
        database.close()
        opening = undefined
      }
      database.addEventListener('versionchange', letGo)
      database.addEventListener('close', letGo)
      resolve(database)
    })
    request.addEventListener('error', () => {
      reject(request.error ?? new Error('IndexedDB cannot be opened.'))
    })
  })
}

async function run<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open()
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(storeName, mode, { durability: 'strict' })
    const request = act(transaction.objectStore(storeName))
    transaction.addEventListener('complete', () => resolve(request.result))
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('IndexedDB gave up.')))
  })
}

/**
 * A few small values that must survive a kill: the session, who is signed in, the last brand. IndexedDB with strict durability,
 * because Chromium writes localStorage seconds late (design section 5); without the larger databases, because /auth loads this.
 */
export const keyValueStore = {
  get: (key: string): Promise<string | null> =>
    run('readonly', (store) => store.get(key) as IDBRequest<string | undefined>).then((value) => value ?? null),
  set: (key: string, value: string): Promise<void> => run('readwrite', (store) => store.put(value, key)).then(() => {}),
  remove: (key: string): Promise<void> => run('readwrite', (store) => store.delete(key)).then(() => {}),
  keys: (): Promise<string[]> =>
    run('readonly', (store) => store.getAllKeys()).then((keys) => keys.filter((key) => typeof key === 'string')),
}
