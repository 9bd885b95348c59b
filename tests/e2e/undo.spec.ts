import type { Page } from '@playwright/test'
import { createPerson, expect, openAs, type Person, test, toastOf } from '../harness/browser.ts'
import { insert } from './contact-seeds.ts'

const row = (page: Page, id: string) => page.locator(`main a[href*="/crm/tasks/${id}"]`)

async function deleteFromPanel(page: Page, id: string): Promise<void> {
  await row(page, id).click()
  await page.getByRole('complementary', { name: 'Task' }).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: /^Delete/ }).click()
  await expect(toastOf(page)).toContainText('Task deleted')
  await expect(row(page, id)).toHaveCount(0)
}

async function onServer({ client, brandId }: Person, id: string): Promise<unknown[]> {
  const { data } = await client.from('tasks').select('title, version').eq('brand_id', brandId).eq('id', id)
  return data ?? []
}

test('an offline delete and its undo: the same row is shown, and on the server once online', async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const id = await insert(person, 'tasks', { title: 'Call Margaret' })
  await openAs(page, person, '/crm/tasks')
  // Load the panel's code before the network goes.
  await row(page, id).click()
  await expect(page.getByRole('complementary', { name: 'Task' })).toContainText('Call Margaret')
  await page.goBack()
  await page.context().setOffline(true)
  await deleteFromPanel(page, id)
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(row(page, id)).toContainText('Call Margaret')
  await page.context().setOffline(false)
  // The version shows that both the delete and the undo were sent.
  await expect.poll(() => onServer(person, id)).toMatchObject([{ title: 'Call Margaret', version: 2 }])
  await expect(page.getByRole('button', { name: 'All changes saved' })).toBeVisible()
  await expect(row(page, id)).toContainText('Call Margaret')
})

test('a delete while the server is unreachable survives a reload, and is sent when the server is back', async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const id = await insert(person, 'tasks', { title: 'Call Margaret' })
  const other = await insert(person, 'tasks', { title: 'Stays' })
  await openAs(page, person, '/crm/tasks')
  await expect(row(page, other)).toBeVisible()
  await page.route('**/rest/v1/**', (route) => route.abort())
  await deleteFromPanel(page, id)
  await page.reload()
  await expect(row(page, other)).toBeVisible()
  await expect(row(page, id)).toHaveCount(0)
  expect(await onServer(person, id)).toHaveLength(1)
  await page.unroute('**/rest/v1/**')
  await expect.poll(() => onServer(person, id), { timeout: 15_000 }).toEqual([])
})
