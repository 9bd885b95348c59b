import type { Page } from '@playwright/test'
import { expect, openContext, test, watchFaults } from '../harness/browser.ts'
import type { TestServer } from '../harness/server.ts'

/**
 * Opens one page for all tests of a file, which is faster than a page for each test. Each test must leave the page in a state in which the next
 * test can start. Call `sharePage` once, at the top of the file. It returns a function that returns the page; call that function only inside a
 * test. After the last test, the run fails if the page had faults.
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
    if (!page) throw new Error('Call this function in a test: the page is not open yet.')
    return page
  }
}
