import { chooseFile, csvOf, makePeople } from '../e2e/csv-seeds.ts'
import { createPerson, expect, openAs, test } from '../harness/browser.ts'
import { longestTask } from '../harness/longest-task.ts'

test('10,000 rows are imported while the page stays responsive', async ({ page, server }) => {
  test.setTimeout(120_000)
  await openAs(page, await createPerson(server, { brand: 'Harbour' }), '/crm/import-contacts')
  await page.getByRole('button', { name: 'Choose File', exact: true }).waitFor()
  const csv = csvOf(makePeople({ rows: 10_000, without: 0, twice: 0 }))
  let tookMs = 0
  const { busy, wall } = await longestTask(page, async () => {
    const startedAt = Date.now()
    await chooseFile(page, 'ten thousand.csv', csv)
    await expect(page.getByRole('heading', { name: 'Import Complete' })).toBeVisible({ timeout: 60_000 })
    tookMs = Date.now() - startedAt
    await page.getByRole('button', { name: 'View contacts' }).click()
    await expect(page.getByText('10,000 contacts')).toBeVisible({ timeout: 30_000 })
    await expect(page.getByRole('row').nth(1)).toContainText('@example-')
  })
  console.log(
    `10,000 rows: ${tookMs} ms; longest task ${Math.round(busy)} ms of work, ${Math.round(wall)} ms by the clock`,
  )
  // The goal on an idle machine is 20 s (3.3 s measured); this limit allows for other load.
  expect(tookMs).toBeLessThan(45_000)
  expect(busy).toBeLessThan(100)
})
