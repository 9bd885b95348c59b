import { createPerson, expect, openAs, test, toastOf } from '../harness/browser.ts'
import { offlineRound } from '../harness/offline-round.ts'

test('an offline move is applied exactly once if its response is lost, the browser is killed, and two tabs then open the app', async ({
  server,
}) => {
  test.setTimeout(120_000)
  await offlineRound(server)
})

test('a dialog or a page whose code is not on the device yet says so without a connection; the page opens when the connection is back', async ({
  page,
  context,
  server,
}) => {
  // The app may load other pages and dialogs while it is idle. This code stays missing until the connection is back.
  const missingCode = /\/assets\/(companies|new-task-form)-/
  await context.route(missingCode, (route) => route.abort())
  await openAs(page, await createPerson(server, { brand: 'Harbour' }), '/crm/tasks')
  await page.getByText('No open tasks', { exact: true }).waitFor()
  await context.setOffline(true)
  for (const name of ['New Task', 'Add Task']) {
    await page.getByRole('button', { name }).click()
    await expect(toastOf(page)).toContainText('Not on this device yetOpen it when online.')
    await toastOf(page).getByRole('button', { name: 'Dismiss' }).click()
    await expect(toastOf(page)).toHaveCount(0)
  }
  await page.getByRole('link', { name: 'Companies', exact: true }).click()
  const reason = page.getByRole('main').getByRole('alert')
  await expect(reason).toHaveText('Not on this device yetOpen it when online.')
  await expect(page.getByRole('button', { name: 'Reload' })).toHaveCount(0)
  await context.unroute(missingCode)
  await context.setOffline(false)
  await expect(page.getByText('No companies yet', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Tasks', exact: true }).click()
  await page.getByRole('button', { name: 'New Task' }).click()
  await expect(page.getByRole('dialog', { name: 'New Task' })).toBeVisible()
})
