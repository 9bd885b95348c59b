import type { Page } from '@playwright/test'
import { createPerson, expect, openAs, type Person, test, toastOf } from '../harness/browser.ts'
import { insertRow } from './contact-seeds.ts'
import { cardsOf, columnOf, personWithDeals } from './deal-seeds.ts'

const taskLink = (page: Page, id: string) => page.locator(`main a[href*="/crm/tasks/${id}"]`)

async function deleteFromPanel(page: Page, id: string): Promise<void> {
  await taskLink(page, id).click()
  await page.getByRole('complementary', { name: 'Task' }).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: /^Delete/ }).click()
  await expect(toastOf(page)).toContainText('Task deleted')
  await expect(taskLink(page, id)).toHaveCount(0)
}

async function serverRow({ client, brandId }: Person, id: string): Promise<unknown[]> {
  const { data } = await client.from('tasks').select('title, version').eq('brand_id', brandId).eq('id', id)
  return data ?? []
}

test('after an offline delete and its undo the same row is shown, and is on the server once online', async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const id = await insertRow(person, 'tasks', { title: 'Call Margaret' })
  await openAs(page, person, '/crm/tasks')
  // Loads the panel's code before the network is lost.
  await taskLink(page, id).click()
  await expect(page.getByRole('complementary', { name: 'Task' })).toContainText('Call Margaret')
  await page.goBack()
  await page.context().setOffline(true)
  await deleteFromPanel(page, id)
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(taskLink(page, id)).toContainText('Call Margaret')
  await page.context().setOffline(false)
  // The version shows that both the delete and the undo were sent.
  await expect.poll(() => serverRow(person, id)).toMatchObject([{ title: 'Call Margaret', version: 2 }])
  await expect(page.getByRole('button', { name: 'All changes saved' })).toBeVisible()
  await expect(taskLink(page, id)).toContainText('Call Margaret')
})

test('a delete while the server is unreachable survives a reload, and is sent when the server is back', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const id = await insertRow(person, 'tasks', { title: 'Call Margaret' })
  const otherId = await insertRow(person, 'tasks', { title: 'Stays' })
  await openAs(page, person, '/crm/tasks')
  await expect(taskLink(page, otherId)).toBeVisible()
  await page.route('**/rest/v1/**', (route) => route.abort())
  await deleteFromPanel(page, id)
  await page.reload()
  await expect(taskLink(page, otherId)).toBeVisible()
  await expect(taskLink(page, id)).toHaveCount(0)
  expect(await serverRow(person, id)).toHaveLength(1)
  await page.unroute('**/rest/v1/**')
  await expect.poll(() => serverRow(person, id), { timeout: 15_000 }).toEqual([])
})

test('Ctrl+Z undoes the last action of the tab and says what it reverted; Shift+Ctrl+Z and Ctrl+Y redo it', async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [{ name: 'Renewal 2027', amount: 12_000 }])
  await openAs(page, person, '/crm/deals')
  const dealCard = (stage: string) => cardsOf(columnOf(page, stage), 'Renewal 2027')
  const dealOnServer = async () => {
    const { data } = await person.client.from('deals').select('amount, deal_stages(name)').single()
    return { amount: data?.amount, stage: data?.deal_stages }
  }
  await dealCard('Incoming').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(toastOf(page)).toContainText('Deal moved successfully')
  // A moved card has the focus after a few frames, which may be later than the toast.
  await expect(dealCard('Qualified')).toBeFocused()
  // While a card is carried, by keyboard or pointer, Ctrl+Z does nothing.
  const carriedCard = page.locator('[data-carried]')
  await page.keyboard.press('Space')
  await expect(carriedCard).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await page.keyboard.press('Escape')
  await expect(carriedCard).toHaveCount(0)
  await dealCard('Qualified').hover()
  await page.mouse.down()
  await page.mouse.move(700, 300, { steps: 4 })
  await expect(carriedCard).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(carriedCard).toHaveCount(0)
  await expect(toastOf(page)).toContainText('Deal moved successfully')
  await dealCard('Qualified').click()
  const panel = page.getByRole('complementary', { name: 'Deal' })
  await panel.getByRole('button', { name: /^Amount/ }).click()
  const amount = panel.getByRole('textbox', { name: 'Amount' })
  await amount.pressSequentially('9')
  // In a text field the browser's own undo works.
  await page.keyboard.press('ControlOrMeta+z')
  await expect(dealCard('Qualified')).toBeVisible()
  await amount.fill('15000')
  await page.keyboard.press('Enter')
  await expect(dealCard('Qualified')).toContainText('£15,000')
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)

  await expect(async () => {
    await page.keyboard.press('ControlOrMeta+z')
    await expect(toastOf(page)).toContainText('Undid: Amount of Renewal 2027 changed', { timeout: 500 })
  }).toPass()
  await expect(dealCard('Qualified')).toContainText('£12,000')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(toastOf(page)).toContainText('Undid: Renewal 2027 moved to Qualified')
  await expect(dealCard('Incoming')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(toastOf(page)).toContainText(
    'Nothing to undoOnly actions of this tab since it was loaded can be undone.',
  )
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expect(toastOf(page)).toContainText('Redid: Renewal 2027 moved to Qualified')
  await page.keyboard.press('Control+y')
  await expect(toastOf(page)).toContainText('Redid: Amount of Renewal 2027 changed')
  await expect(dealCard('Qualified')).toContainText('£15,000')
  await expect.poll(dealOnServer).toEqual({ amount: 15_000, stage: { name: 'Qualified' } })

  // If the toast has undone a step, the keys do not undo it again: they undo the step before it.
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(toastOf(page)).toContainText('Undid: Amount of Renewal 2027 changed')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(toastOf(page)).toContainText('Undid: Renewal 2027 moved to Qualified')
  await expect.poll(dealOnServer).toEqual({ amount: 12_000, stage: { name: 'Incoming' } })
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Undo what you did last')
})

test('if the code for an undo or a redo cannot be loaded, the message names the one that failed', async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [{ name: 'Renewal 2027' }])
  await openAs(page, person, '/crm/deals')
  await expect(cardsOf(page, 'Renewal 2027')).toBeVisible()
  await page.route('**/undo-toasts*', (route) => route.abort())
  for (const [keys, title] of [
    ['ControlOrMeta+z', 'Undo failed'],
    ['ControlOrMeta+Shift+z', 'Redo failed'],
  ] as const) {
    await page.keyboard.press(keys)
    await expect(toastOf(page).last()).toContainText(`${title}Try again with a connection.`)
  }
})
