const databaseName = 'banyan-session'
const storeName = 'values'

let opening: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1)
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(storeName))
    request.addEventListener('success', () => {
      const database = request.result
      database.addEventListener('versionchange', () => database.close())
      database.addEventListener('close', () => {
        opening = undefined
      })
      resolve(database)
    })
    request.addEventListener('error', () => {
      opening = undefined
      reject(request.error ?? new Error('IndexedDB cannot be opened.'))
    })
  })
  return opening
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
 * because Chromium writes localStorage seconds late (design section 5); without Dexie, because /auth loads this.
 */
export const keyValueStore = {
  get: (key: string): Promise<string | null> =>
    run('readonly', (store) => store.get(key) as IDBRequest<string | undefined>).then((value) => value ?? null),
  set: (key: string, value: string): Promise<void> => run('readwrite', (store) => store.put(value, key)).then(() => {}),
  remove: (key: string): Promise<void> => run('readwrite', (store) => store.delete(key)).then(() => {}),
  keys: (): Promise<string[]> =>
    run('readonly', (store) => store.getAllKeys()).then((keys) => keys.filter((key) => typeof key === 'string')),
}
