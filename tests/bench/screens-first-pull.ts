import type { BrowserContext } from '@playwright/test'
import { emptyLocalDatabase } from './screens-first-look.ts'

/**
 * Measures a first pull: from the app's first pull request until all rows of the brand are in the local database and the brand's state says so.
 * Returns rows per second, this time (ms), and the processor time of the page's main thread (ms).
 */
export async function measureFirstPull(context: BrowserContext, rows: number) {
  const page = await context.newPage()
  await emptyLocalDatabase(page)
  // tsx wraps named functions in a helper that does not exist in the page.
  await page.addInitScript('globalThis.__name = (named) => named')
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  const pullRequest = page.waitForRequest((request) => request.url().endsWith('/rpc/pull'))
  await page.goto('/crm/deals', { waitUntil: 'commit' })
  await pullRequest
  const requestedAt = Date.now()
  const storedAt = await page.evaluate(untilStored)
  const { metrics } = await cdp.send('Performance.getMetrics')
  const busySeconds = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
  await page.close()
  return {
    'rows per second': rows / ((storedAt - requestedAt) / 1000),
    'until stored ms': storedAt - requestedAt,
    'processor ms': busySeconds * 1000,
  }
}

/** Runs in the page. Waits until the stored state of a brand says that all its tables are complete or windowed. Returns the time at that moment. */
async function untilStored(): Promise<number> {
  const resultOf = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed.')))
    })
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 40))
    const name = (await indexedDB.databases()).find((database) => database.name?.includes('rows'))?.name
    if (!name) continue
    const database = await resultOf(indexedDB.open(name))
    const stores = [...database.objectStoreNames]
    const states: unknown[] = stores.includes('states')
      ? await resultOf(database.transaction('states').objectStore('states').getAll())
      : []
    database.close()
    for (const state of states) {
      const tables: { mode: string; complete: boolean }[] = Object.values(Reflect.get(Object(state), 'tables') ?? {})
      const isPulled = tables.length > 0 && tables.every(({ mode, complete }) => mode === 'windowed' || complete)
      if (isPulled) return Date.now()
    }
  }
}
