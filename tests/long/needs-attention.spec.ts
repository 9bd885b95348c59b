import type { Page } from '@playwright/test'
import { createPerson, expect, expectAccessible, type Person, test, toastOf } from '../harness/browser.ts'
import { cardsOf, openBoard, personWithDeals, runAsOwnerRole, stagesOf } from '../e2e/deal-seeds.ts'

const deals = [
  { name: 'Regional rollout', amount: 60_000 },
  { name: 'Depot lighting', amount: 500 },
  { name: 'Site survey', amount: 100 },
]

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Deal' })

/** Opens a deal beside the board and sets one of its fields. */
async function editField(page: Page, deal: string, field: string, value: string): Promise<void> {
  await cardsOf(page, deal).click()
  await expect(panelOf(page).getByRole('heading', { level: 2 })).toContainText(deal)
  await panelOf(page)
    .getByRole('button', { name: new RegExp(`^${field}: `) })
    .click()
  await panelOf(page).getByRole('textbox', { name: field }).fill(value)
  await page.keyboard.press('Enter')
  await expect(panelOf(page).getByRole('button', { name: new RegExp(`^${field}: `) })).toBeFocused()
}

/** Creates Callum, another member of Ana's brand. */
async function addColleague(ana: Person, server: Parameters<typeof createPerson>[0]): Promise<Person> {
  const callum = await createPerson(server, { name: 'callum' })
  const args = { p_brand_id: ana.brandId, p_email: callum.email, p_role: 'member' }
  expect((await ana.client.rpc('add_brand_member_by_email', args)).error).toBeNull()
  return callum
}

test('offline changes that cannot be applied are listed, survive a reload, and are decided one by one', async ({
  page,
  server,
}) => {
  const ana = await personWithDeals(server, deals)
  const callum = await addColleague(ana, server)
  await openBoard(page, ana)
  await expect(page.getByRole('button', { name: 'All changes saved' })).toBeVisible()
  // Loads the code of the panel and of the list of waiting changes before the network is lost.
  await cardsOf(page, 'Site survey').click()
  await expect(panelOf(page)).toBeVisible()
  await expect
    .poll(() =>
      page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('outbox-dialog'))),
    )
    .toBe(true)
  await page.context().setOffline(true)
  await editField(page, 'Regional rollout', 'Amount', '62700')
  await editField(page, 'Depot lighting', 'Deal name', 'Depot lights')
  await page.keyboard.press('Escape')
  await cardsOf(page, 'Site survey').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(page.getByRole('button', { name: 'Offline, 3 waiting' })).toBeVisible()

  await page.getByRole('button', { name: 'Offline, 3 waiting' }).click()
  const queueDialog = page.getByRole('dialog')
  await expect(queueDialog.getByRole('listitem')).toContainText([
    /^Amount of “Regional rollout”/,
    /^Name of “Depot lighting”/,
    /^Move “Site survey” to Qualified/,
  ])
  await page.keyboard.press('Escape')

  const callumsDeals = callum.client.from('deals')
  expect((await callumsDeals.update({ amount: 58_900 }).eq('name', 'Regional rollout').select()).data).toHaveLength(1)
  expect((await callumsDeals.delete().eq('name', 'Depot lighting').select()).data).toHaveLength(1)
  const qualified = (await stagesOf(ana)).get('Qualified')
  await runAsOwnerRole(server, 'delete from public.deal_stages where id = $1', [qualified])
  await page.context().setOffline(false)

  const badge = page.getByRole('button', { name: 'Needs attention' })
  await expect(badge).toBeVisible({ timeout: 30_000 })
  await expect(toastOf(page)).toContainText('Error moving deal')
  await toastOf(page).getByRole('button', { name: 'Show' }).click()
  await expect(queueDialog.getByRole('heading', { name: 'Needs attention' })).toBeVisible()
  await page.keyboard.press('Escape')
  // Escape also makes the page go back over the dialog's history entry. Waits for this step back, because it would cancel the reload.
  await expect.poll(() => page.evaluate(() => Number(history.state.layers ?? 0))).toBe(0)

  await page.reload()
  await badge.click()
  const lines = queueDialog.getByRole('listitem')
  await expect(lines).toContainText([
    /Amount of “Regional rollout”.*callum\S* changed the amount too/i,
    /Name of “Depot lighting”.*callum\S* deleted this deal at \d\d:\d\d\./i,
    /Move “Site survey” to Qualified.*Error moving deal: /,
  ])
  await expectAccessible(page)

  await lines.nth(0).getByRole('button', { name: 'Decide' }).click()
  const choiceDialog = page.getByRole('dialog', { name: 'Which amount is right?' })
  await expect(choiceDialog).toContainText(
    /You and callum\S* both changed the amount of “Regional rollout”\. It was £60,000\./i,
  )
  await expect(choiceDialog.getByRole('radio', { name: /^Yours/ })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('ArrowDown')
  await expect(choiceDialog.getByRole('button', { name: 'Keep £58,900' })).toBeVisible()
  await page.keyboard.press('ArrowUp')
  await choiceDialog.getByRole('button', { name: 'Keep £62,700' }).click()
  await expect(lines).toHaveCount(2)

  await lines.nth(0).getByRole('button', { name: 'Restore' }).click()
  await expect(lines).toHaveCount(1)
  await lines.nth(0).getByRole('button', { name: 'Discard' }).click()
  await expect(queueDialog).toContainText('All changes saved')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'All changes saved' })).toBeVisible()
  await expect(cardsOf(page, 'Depot lights')).toBeVisible()
  const { data } = await ana.client.from('deals').select('name, amount').eq('brand_id', ana.brandId).order('amount')
  expect(data).toEqual([
    { name: 'Site survey', amount: 100 },
    { name: 'Depot lights', amount: 500 },
    { name: 'Regional rollout', amount: 62_700 },
  ])
})

test('a refused new deal is edited in its form and sent again; until then it stays in the list', async ({
  page,
  server,
}) => {
  const ana = await personWithDeals(server, deals)
  await openBoard(page, ana)
  // Loads the form's code before the network is lost.
  const form = page.getByRole('dialog', { name: 'New Deal' })
  await page.getByRole('button', { name: 'New Deal', exact: true }).click()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'New Deal', exact: true }).click()
  await form.getByLabel('Deal name').fill('Winter garden')
  await form.getByLabel('Amount').fill('1250.5')
  await form.getByLabel('Expected close date').fill('2027-02-01')
  await form.getByRole('combobox', { name: 'Stage' }).click()
  await page.getByRole('option', { name: 'Qualified' }).click()
  await form.getByRole('button', { name: 'Create Deal' }).click()
  await expect(page.getByRole('button', { name: 'Offline, 1 waiting' })).toBeVisible()
  await runAsOwnerRole(server, 'delete from public.deal_stages where id = $1', [(await stagesOf(ana)).get('Qualified')])
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Needs attention' }).click({ timeout: 30_000 })
  const queueDialog = page.getByRole('dialog')
  await expect(queueDialog.getByRole('listitem')).toContainText([/New deal “Winter garden”.*Error creating deal/])
  await expectAccessible(page)

  await queueDialog.getByRole('button', { name: 'Edit: New deal “Winter garden”' }).click()
  await expect(form.getByLabel('Deal name')).toHaveValue('Winter garden')
  await expect(form.getByLabel('Amount')).toHaveValue('1250.5')
  await expect(form.getByLabel('Expected close date')).toHaveValue('1 Feb 2027')
  await expect(form.getByRole('combobox', { name: 'Stage' })).toContainText('Incoming')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Needs attention' })).toBeVisible()

  await page.getByRole('button', { name: 'Needs attention' }).click()
  await queueDialog.getByRole('button', { name: /^Edit: / }).click()
  await form.getByLabel('Deal name').fill('Winter gardens')
  await form.getByRole('button', { name: 'Create Deal' }).click()
  await expect(toastOf(page)).toContainText('Deal created')
  await expect(form).toHaveCount(0)
  await expect(cardsOf(page, 'Winter gardens')).toBeVisible()
  await expect(page.getByRole('button', { name: 'All changes saved' })).toBeVisible()
  const { data } = await ana.client.from('deals').select('name, amount').like('name', 'Winter%')
  expect(data).toEqual([{ name: 'Winter gardens', amount: 1250.5 }])
})
