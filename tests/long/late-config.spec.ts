import { createPerson, expect, openAs, openContext, test } from '../harness/browser.ts'

test('a page that could not load its configuration loads it when the network is back, and sends the waiting changes', async ({
  browser,
  server,
}) => {
  // Uses a separate browser context, because the missing configuration is logged as an error.
  const context = await openContext(browser, server)
  const page = await context.newPage()
  const person = await createPerson(server, { brand: 'Harbour' })
  await openAs(page, person, '/crm/tasks')
  await expect(page.getByText('All changes saved')).toBeVisible()
  for (const path of ['**/config.js', '**/rest/v1/**']) await page.route(path, (route) => route.abort())
  await page.reload()
  await page.getByRole('button', { name: 'New Task', exact: true }).first().click()
  await page.getByRole('dialog').getByLabel('Task title').fill('Call Margaret')
  await page.keyboard.press('Control+Enter')
  await expect(page.locator('main').getByRole('link', { name: 'Call Margaret' })).toBeVisible()
  await page.unrouteAll()
  await expect
    .poll(async () => (await person.client.from('tasks').select('title').eq('brand_id', person.brandId)).data, {
      timeout: 40_000,
    })
    .toEqual([{ title: 'Call Margaret' }])
  await expect(page.getByText('All changes saved')).toBeVisible()
  await context.close()
})
