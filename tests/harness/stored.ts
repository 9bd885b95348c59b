import type { Page } from '@playwright/test'

/** Everything that the app keeps in this browser as one text: IndexedDB, session and local storage. */
export function everythingStored(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const answer = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB gave up.')))
      })
    const kept: unknown[] = [{ ...sessionStorage }, { ...localStorage }]
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await answer(indexedDB.open(name))
      for (const store of database.objectStoreNames)
        kept.push(name, store, await answer(database.transaction(store).objectStore(store).getAll()))
      database.close()
    }
    return JSON.stringify(kept)
  })
}
