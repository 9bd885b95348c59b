import type { Page } from '@playwright/test'
import { createPerson, expect, test, toastOf } from '../harness/browser.ts'
import { chooseFile, csvOf, makePeople } from './csv-seeds.ts'
import { importCompleteText, contactsOf, openImport } from './import-page.ts'

/** Lets the given number of chunks pass, and holds the others until the returned function is called. */
async function holdImport(page: Page, passingCount: number): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let callCount = 0
  await page.route('**/rpc/import_contacts', async (route) => {
    callCount += 1
    if (callCount > passingCount) await released
    await route.continue()
  })
  return release
}

test('Stop ends an import between two chunks; importing the same file again completes it', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openImport(page, person)
  const csv = csvOf(makePeople({ rows: 2_000, without: 0, twice: 0 }))
  const release = await holdImport(page, 2)
  await chooseFile(page, 'large.csv', csv)
  await expect(page.getByText(/of 2,000 rows/)).toBeVisible()
  await expect(page.getByText(/rows per second/)).toBeVisible()
  await page.getByRole('button', { name: 'Stop' }).click()
  release()
  await expect(page.getByRole('heading', { name: 'Import stopped' })).toBeVisible({ timeout: 20_000 })
  const reportedCount = Number(
    /([\d,]+) of 2,000 rows were imported/
      .exec(await page.getByText(/rows were imported/).innerText())?.[1]
      ?.replace(',', ''),
  )
  const storedCount = (await contactsOf(person)).size
  expect(storedCount).toBe(reportedCount)
  expect(storedCount).toBeGreaterThan(0)
  expect(storedCount).toBeLessThan(2_000)
  await page.unroute('**/rpc/import_contacts')
  await chooseFile(page, 'large.csv', csv)
  await expect(page.getByText(importCompleteText(2_000, 0)).first()).toBeVisible({ timeout: 40_000 })
  expect((await contactsOf(person)).size).toBe(2_000)
})

test('leaving the page stops the import and reports how many rows were imported', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openImport(page, person)
  const release = await holdImport(page, 2)
  await chooseFile(page, 'large.csv', csvOf(makePeople({ rows: 2_000, without: 0, twice: 0 })))
  await expect(page.getByText(/rows per second/)).toBeVisible()
  await page.getByRole('link', { name: 'Deals', exact: true }).click()
  release()
  await expect(toastOf(page)).toContainText(/Import stopped.*of 2,000 rows were imported/s)
  const reportedCount = /([\d,]+) of 2,000/.exec(await toastOf(page).innerText())?.[1]
  expect(reportedCount).toBe((await contactsOf(person)).size.toLocaleString('en-GB'))
})

test('a chunk whose response is lost is sent again, and no row is doubled', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openImport(page, person)
  let callCount = 0
  await page.route('**/rpc/import_contacts', async (route) => {
    callCount += 1
    if (callCount !== 1) return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await chooseFile(page, 'lost.csv', csvOf(makePeople({ rows: 800, without: 3, twice: 0 })))
  await expect(page.getByText(importCompleteText(797, 3)).first()).toBeVisible({ timeout: 30_000 })
  expect((await contactsOf(person)).size).toBe(797)
})

test('after 429 the import waits for Retry-After, and the page says so', { tag: '@long' }, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openImport(page, person)
  let requestCount = 0
  await page.route('**/rpc/import_contacts', async (route) => {
    requestCount += 1
    if (requestCount > 1) return route.continue()
    const body = JSON.stringify({ code: '53300', message: 'Too many requests at once', details: null, hint: null })
    return route.fulfill({ status: 429, headers: { 'Retry-After': '3', 'Content-Type': 'application/json' }, body })
  })
  await chooseFile(page, 'fair.csv', 'email\nana@acme.example\n')
  await expect(page.getByText('The server is busy. Trying again.')).toBeVisible()
  await expect(toastOf(page)).toContainText(importCompleteText(1, 0))
  expect(requestCount).toBe(2)
})
