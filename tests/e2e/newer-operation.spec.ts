import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../harness/browser.ts'
import { cardsOf, openBoard, personWithDeals, stageOnServer } from './deal-seeds.ts'

/** Rewrites the operations in the outbox as a newer version of the app would have written them. Returns their number. */
function writeAsNewer(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const resultOf = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed.')))
      })
    const { name = '' } = (await indexedDB.databases()).find((info) => info.name?.startsWith('banyan-outbox-')) ?? {}
    const database = await resultOf(indexedDB.open(name))
    const operations = database.transaction('operations', 'readwrite').objectStore('operations')
    const storedOperations = await resultOf(operations.getAll())
    for (const operation of storedOperations)
      await resultOf(operations.put({ ...operation, shape: operation.shape + 1, kind: 'later' }))
    database.close()
    return storedOperations.length
  })
}

test('a waiting change that a newer version of the app stored on this device asks for a reload, and can only be discarded', {
  tag: '@long',
}, async ({ page, server }) => {
  const ana = await personWithDeals(server, [{ name: 'Site survey', amount: 100 }])
  await openBoard(page, ana)
  await page.route('**/rest/v1/deals**', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  )
  await cardsOf(page, 'Site survey').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(() => writeAsNewer(page)).toBe(1)
  // Without a reload, the page would still send the operations that it has in memory.
  await page.reload()
  await page.unrouteAll()

  await expect(page.getByText('This page is out of date: a newer version was used here', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reload', exact: true })).toBeVisible()
  await page.getByRole('button', { name: /^Needs attention/ }).click()
  const line = page.getByRole('dialog').getByRole('listitem')
  await expect(line).toContainText('Move “Site survey” to Qualified')
  await expect(line).toContainText('This page is out of date. Reload it, then try again.')
  await expect(line.getByRole('button')).toHaveText(['Discard'])
  await expectAccessible(page)
  await line.getByRole('button').click()
  await expect(page.getByRole('dialog')).toContainText('All changes saved')
  expect(await stageOnServer(ana, 'Site survey')).toBe('Incoming')
})
