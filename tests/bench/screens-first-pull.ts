import type { BrowserContext } from '@playwright/test'
import { emptyLocalDatabase } from './screens-first-look.ts'

/**
 * A first pull: from the first question of the app for rows until all rows of the brand are in the local database and the brand's state says so.
 * Rows a second, and what the page's main thread spent.
 */
export async function firstPull(context: BrowserContext, rows: number) {
  const page = await context.newPage()
  await emptyLocalDatabase(page)
  // The test runner wraps named functions in a helper that does not exist in the page.
  await page.addInitScript('globalThis.__name = (named) => named')
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  const asked = page.waitForRequest((request) => request.url().endsWith('/rpc/pull'))
  await page.goto('/crm/deals', { waitUntil: 'commit' })
  await asked
  const begun = Date.now()
  const ended = await page.evaluate(untilStored)
  const { metrics } = await cdp.send('Performance.getMetrics')
  const busy = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
  await page.close()
  return {
    'rows a second': rows / ((ended - begun) / 1000),
    'until stored ms': ended - begun,
    'processor ms': busy * 1000,
  }
}

/** Runs in the page: resolves with the time at which the stored state of a brand says that all its tables are complete or windowed. */
async function untilStored(): Promise<number> {
  const answer = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB gave up.')))
    })
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 40))
    const name = (await indexedDB.databases()).find((each) => each.name?.includes('rows'))?.name
    if (!name) continue
    const database = await answer(indexedDB.open(name))
    const stores = [...database.objectStoreNames]
    const states: unknown[] = stores.includes('states')
      ? await answer(database.transaction('states').objectStore('states').getAll())
      : []
    database.close()
    for (const state of states) {
      const tables: { mode: string; complete: boolean }[] = Object.values(Reflect.get(Object(state), 'tables') ?? {})
      const isWhole = tables.length > 0 && tables.every(({ mode, complete }) => mode === 'windowed' || complete)
      if (isWhole) return Date.now()
    }
  }
}
