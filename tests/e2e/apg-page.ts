import type { Page } from '@playwright/test'
import { expect, openContext, test, watchFaults } from '../harness/browser.ts'
import type { TestServer } from '../harness/server.ts'

/**
 * One page for all tests of a file, which leave it as they found it: a page that is loaded once has time for many keys. Call it once, at
 * the top; what it returns is the page, inside of a test.
 */
export function onePage(open: (page: Page, server: TestServer) => Promise<void>): () => Page {
  let page: Page | undefined
  const faults: string[] = []
  test.beforeAll(async ({ browser, server }) => {
    const context = await openContext(browser, server)
    watchFaults(context, faults)
    page = await context.newPage()
    await open(page, server)
  })
  test.afterAll(async () => {
    await page?.context().close()
    expect(faults).toEqual([])
  })
  return () => {
    if (!page) throw new Error('The page is opened before the first test of the file.')
    return page
  }
}
