import type { Page } from '@playwright/test'
import { expect, openContext, test, watchFaults } from '../harness/browser.ts'
import type { TestServer } from '../harness/server.ts'

/**
 * Loads one page for all tests of a file, which is faster; each test restores the page's state. Call it once at the top of the file;
 * inside a test the returned function gives the page.
 */
export function sharePage(open: (page: Page, server: TestServer) => Promise<void>): () => Page {
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
