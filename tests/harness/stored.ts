import type { Page } from '@playwright/test'

/** Everything that the app stores in this browser, as one text: IndexedDB, session and local storage. */
export function everythingStored(page: Page): Promise<string> {
  return page.evaluate(readStored, undefined)
}

/** The same where the data layer runs in this process. Runs in pages as text, so it uses nothing from outside. */
export async function readStored(indexedDB = globalThis.indexedDB): Promise<string> {
  const answer = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB gave up.')))
    })
  const storages: (Storage | undefined)[] = [globalThis.sessionStorage, globalThis.localStorage]
  const kept: unknown[] = storages.map((storage) => Object.entries(storage ?? {}))
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await answer(indexedDB.open(name))
    for (const store of database.objectStoreNames)
      kept.push(name, store, await answer(database.transaction(store).objectStore(store).getAll()))
    database.close()
  }
  return JSON.stringify(kept)
}
