import type { Page } from '@playwright/test'

/** Returns everything that the app stores in this browser, as one text: IndexedDB, session storage and local storage. */
export function everythingStored(page: Page): Promise<string> {
  return page.evaluate(readStored, undefined)
}

/** Like `everythingStored`, for a data layer in this process. It also runs in pages, so it uses nothing from outside of the function. */
export async function readStored(indexedDB = globalThis.indexedDB): Promise<string> {
  const resultOf = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed.')))
    })
  const storages: (Storage | undefined)[] = [globalThis.sessionStorage, globalThis.localStorage]
  const contents: unknown[] = storages.map((storage) => Object.entries(storage ?? {}))
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await resultOf(indexedDB.open(name))
    for (const store of database.objectStoreNames)
      contents.push(name, store, await resultOf(database.transaction(store).objectStore(store).getAll()))
    database.close()
  }
  return JSON.stringify(contents)
}
