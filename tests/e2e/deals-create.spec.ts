import type { Page } from '@playwright/test'
import { expect, openAs, test, toastOf } from '../harness/browser.ts'
import { holdRequests } from '../harness/held-requests.ts'
import { cardsOf, columnOf, openBoard, personWithDeals, runAsOwnerRole, stagesOf } from './deal-seeds.ts'

async function openDialog(page: Page) {
  await page.getByRole('button', { name: 'New Deal', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'New Deal' })
  await expect(dialog.getByLabel('Deal name')).toBeFocused()
  return dialog
}

/** Waits for the next request that inserts a deal. Returns the row in its body. */
async function sentDeal(page: Page): Promise<Record<string, unknown>> {
  const request = await page.waitForRequest((candidate) => {
    return candidate.method() === 'POST' && /\/rest\/v1\/deals/.test(candidate.url())
  })
  const body: unknown = request.postDataJSON()
  return (Array.isArray(body) ? body[0] : body) as Record<string, unknown>
}

test("spec 5: Deal: name required after trimming ('Deal name is required').", async ({ page, server }) => {
  await openBoard(page, await personWithDeals(server, []))
  const dialog = await openDialog(page)
  await expect(dialog.getByRole('textbox', { name: 'Deal name', exact: true })).toHaveAttribute('aria-required', 'true')
  await expect(dialog.getByText('Required', { exact: true })).toHaveCount(1)
  await dialog.getByLabel('Deal name').fill('   ')
  await dialog.getByLabel('Amount').fill('5')
  await dialog.getByRole('button', { name: 'Create Deal' }).click()
  await expect(dialog.getByLabel('Deal name')).toBeFocused()
  await expect(dialog.getByLabel('Deal name')).toHaveAccessibleDescription('Deal name is required')
  await expect(dialog.getByLabel('Deal name')).toHaveAttribute('aria-invalid', 'true')
})

test('spec 5: Deal: Stage required; if none chosen the first stage is used', async ({ page, server }) => {
  const person = await personWithDeals(server, [])
  await openBoard(page, person)
  const dialog = await openDialog(page)
  await dialog.getByLabel('Deal name').fill('Depot lighting')
  const sentRow = sentDeal(page)
  await dialog.getByRole('button', { name: 'Create Deal' }).click()
  expect(await sentRow).toMatchObject({
    brand_id: person.brandId,
    stage_id: (await stagesOf(person)).get('Incoming'),
  })
  await expect(cardsOf(columnOf(page, 'Incoming'), 'Depot lighting')).toBeVisible()
})

test("spec 5: Deal: Stage required; if no stages exist: 'Please create a stage first in Settings'", async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [])
  await runAsOwnerRole(server, 'delete from public.deal_stages where brand_id = $1', [person.brandId])
  await openAs(page, person, '/crm/deals')
  const dialog = await openDialog(page)
  await dialog.getByLabel('Deal name').fill('Depot lighting')
  await dialog.getByRole('button', { name: 'Create Deal' }).click()
  await expect(dialog.getByText('Please create a stage first in Settings', { exact: true })).toBeVisible()
})

test('spec 5: Deal: Amount is a non-negative number, step 0.01; empty or non-numeric becomes 0.', async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [])
  await openBoard(page, person)
  for (const [typed, amount] of [
    ['', 0],
    ['soon', 0],
    ['12,400.50', 12_400.5],
    ['0.01', 0.01],
  ] as const) {
    const dialog = await openDialog(page)
    await dialog.getByLabel('Deal name').fill(`Deal of ${typed}`)
    await dialog.getByLabel('Amount').fill(typed)
    const sentRow = sentDeal(page)
    await dialog.getByRole('button', { name: 'Create Deal' }).click()
    await expect(dialog).toHaveCount(0)
    expect(await sentRow).toMatchObject({ amount, amount_currency: 'GBP' })
  }
  const dialog = await openDialog(page)
  await dialog.getByLabel('Deal name').fill('Less than nothing')
  for (const [typed, error] of [
    ['-1', 'Amount cannot be negative'],
    ['1.2345', 'At most 2 decimals'],
  ] as const) {
    await dialog.getByLabel('Amount').fill(typed)
    await dialog.getByRole('button', { name: 'Create Deal' }).click()
    await expect(dialog.getByLabel('Amount')).toHaveAccessibleDescription(error)
  }
})

test('an amount can be typed in any usual notation, and the field shows the value that will be saved', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithDeals(server, [])
  await openBoard(page, person)
  const dialog = await openDialog(page)
  const amount = dialog.getByLabel('Amount')
  await amount.fill('abc')
  await expect(amount).toHaveAccessibleDescription('Not a number: saved as £0')
  await amount.fill('1.234')
  await expect(amount).toHaveAccessibleDescription('Saved as £1,234')
  await amount.fill('12,400')
  await expect(amount).toHaveAccessibleDescription('')
  await amount.fill('€12k')
  await expect(amount).toHaveAccessibleDescription('Saved as €12,000')
  await expect(dialog.getByLabel('Currency')).toHaveText('EUR')
  await dialog.getByLabel('Currency').click()
  await page.getByRole('option', { name: 'JPY' }).click()
  await expect(amount).toHaveValue('12000')
  await dialog.getByLabel('Deal name').fill('Rotterdam quay')
  await amount.fill('US$ 1.5m')
  const sentRow = sentDeal(page)
  await page.keyboard.press('Enter')
  expect(await sentRow).toMatchObject({ amount: 1_500_000, amount_currency: 'USD' })
  await expect(cardsOf(page, 'Rotterdam quay')).toContainText('$1,500,000')
})

test('spec 5: Deal: Close date, contact and company are sent as null when empty.', async ({ page, server }) => {
  await openBoard(page, await personWithDeals(server, []))
  const dialog = await openDialog(page)
  await dialog.getByLabel('Deal name').fill('Depot lighting')
  const sentRow = sentDeal(page)
  await dialog.getByRole('button', { name: 'Create Deal' }).click()
  expect(await sentRow).toMatchObject({ expected_close_date: null, contact_id: null, company_id: null })
})

test('a deal is created with all chosen values', { tag: '@long' }, async ({ page, server }) => {
  const year = new Date().getFullYear()
  const person = await personWithDeals(server, [
    { name: 'Old', company: 'Copperline', contact: { first: 'Mei', last: 'Tanaka', email: 'mei@copperline.example' } },
  ])
  await openBoard(page, person)
  const dialog = await openDialog(page)
  await dialog.getByLabel('Deal name').fill('Analytics add-on')
  await dialog.getByLabel('Amount').fill('11800')
  await dialog.getByLabel('Currency').click()
  await page.getByRole('option', { name: 'EUR' }).click()
  await dialog.getByLabel('Stage').click()
  await page.getByRole('option', { name: 'Proposal' }).click()
  await dialog.getByLabel('Contact').fill('tana')
  await page.getByRole('option', { name: /Mei Tanaka/ }).click()
  await dialog.getByLabel('Company').fill('copper')
  await page.getByRole('option', { name: 'Copperline' }).click()
  await dialog.getByLabel('Expected close date').fill(`${year}-12-26`)
  await page.keyboard.press('Control+Enter')
  const createdCard = cardsOf(columnOf(page, 'Proposal'), 'Analytics add-on')
  for (const fact of ['€11,800', 'Copperline', 'Mei Tanaka', '26 Dec']) await expect(createdCard).toContainText(fact)
})

test("spec 8: Deal create: success 'Deal created', dialog closes, form resets", { tag: '@long' }, async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [])
  await openBoard(page, person)
  const dialog = await openDialog(page)
  await dialog.getByLabel('Deal name').fill('Depot lighting')
  await dialog.getByRole('button', { name: 'Create Deal' }).dblclick()
  await expect(toastOf(page)).toContainText('Deal created')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'New Deal', exact: true })).toBeFocused()
  const { count } = await person.client.from('deals').select('id', { count: 'exact', head: true })
  expect(count).toBe(1)
  const reopenedDialog = await openDialog(page)
  await expect(reopenedDialog.getByLabel('Deal name')).toHaveValue('')
  await expect(reopenedDialog.getByText('Your draft is kept')).toHaveCount(0)
})

test('a reload while a deal is being sent does not offer its draft again, and its note is added to the deal', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithDeals(server, [])
  await openBoard(page, person)
  const release = await holdRequests(page, '**/rest/v1/deals*', 'POST')
  const dialog = await openDialog(page)
  await dialog.getByLabel('Deal name').fill('Depot lighting')
  await dialog.getByRole('button', { name: 'Add a note' }).click()
  await page.keyboard.type('Wants it by May')
  const sent = sentDeal(page)
  await dialog.getByRole('button', { name: 'Create Deal' }).click()
  const { id } = await sent
  await page.reload()
  const reopenedDialog = await openDialog(page)
  await expect(reopenedDialog.getByLabel('Deal name')).toHaveValue('')
  await expect(reopenedDialog.getByRole('textbox', { name: 'Note' })).toHaveCount(0)
  release()
  const stored = async (table: 'deals' | 'notes', columns: string) =>
    (await person.client.from(table).select(columns)).data
  await expect.poll(() => stored('notes', 'deal_id, body')).toEqual([{ deal_id: id, body: 'Wants it by May' }])
  expect(await stored('deals', 'id, name')).toEqual([{ id, name: 'Depot lighting' }])
})

test("spec 8: Deal create: 'Error creating deal' with message", { tag: '@long' }, async ({ page, server }) => {
  const person = await personWithDeals(server, [])
  const stages = await stagesOf(person)
  await openBoard(page, person)
  const dialog = await openDialog(page)
  await dialog.getByLabel('Deal name').fill('Depot lighting')
  await dialog.getByLabel('Amount').fill('250')
  await dialog.getByLabel('Stage').click()
  await page.getByRole('option', { name: 'Lost' }).click()
  await page.route('**/rest/v1/deals*', async (route) => {
    await runAsOwnerRole(server, 'delete from public.deal_stages where brand_id = $1 and id = $2', [
      person.brandId,
      stages.get('Lost'),
    ])
    await route.continue()
  })
  await dialog.getByRole('button', { name: 'Create Deal' }).click()
  await expect(toastOf(page)).toContainText('Error creating deal')
  await expect(toastOf(page)).toContainText('Its stage no longer exists.')
  await expect(dialog.getByLabel('Deal name')).toHaveValue('Depot lighting')
  await expect(dialog.getByLabel('Amount')).toHaveValue('250')
  await expect(cardsOf(page, 'Depot lighting')).toHaveCount(0)
})

test('New Deal says that the chosen stage was deleted meanwhile, and then uses the first one', async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [])
  await openBoard(page, person)
  const dialog = await openDialog(page)
  await dialog.getByLabel('Deal name').fill('Depot lighting')
  await dialog.getByLabel('Stage').click()
  await page.getByRole('option', { name: 'Qualified' }).click()
  const { data } = await person.client.from('deal_stages').delete().eq('name', 'Qualified').select('id')
  expect(data).toHaveLength(1)
  await expect(dialog.getByLabel('Stage')).toHaveText('This stage was deleted')
  await dialog.getByRole('button', { name: 'Create Deal' }).click()
  await expect(dialog).toContainText('Your stage was deleted. Check this one.')
  await expect(dialog.getByLabel('Stage')).not.toHaveText('This stage was deleted')
  await dialog.getByRole('button', { name: 'Create Deal' }).click()
  await expect(toastOf(page)).toContainText('Deal created')
})

test('choosing a contact also chooses its company, which can be changed', { tag: '@long' }, async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [{ name: 'Old', company: 'Copperline' }])
  await person.client.from('companies').insert({ brand_id: person.brandId, name: 'Acme' })
  const { data: company } = await person.client.from('companies').select('id').eq('name', 'Copperline').single()
  const mei = { brand_id: person.brandId, email: 'mei@copperline.example', first_name: 'Mei', company_id: company?.id }
  const bo = { brand_id: person.brandId, email: 'bo@home.example', first_name: 'Bo' }
  for (const row of [mei, bo]) expect((await person.client.from('contacts').insert(row)).error).toBeNull()
  await openBoard(page, person)
  const dialog = await openDialog(page)
  const contact = dialog.getByLabel('Contact')
  const chooseContact = async (name: RegExp) => {
    await contact.fill(name.source)
    await page.getByRole('option', { name }).click()
  }
  await chooseContact(/Mei/)
  await expect(dialog.getByLabel('Company')).toHaveValue('Copperline')
  await chooseContact(/Bo/)
  await expect(dialog.getByLabel('Company')).toHaveValue('')
  await dialog.getByLabel('Company').fill('acme')
  await page.getByRole('option', { name: 'Acme' }).click()
  await chooseContact(/Mei/)
  await expect(dialog.getByLabel('Company')).toHaveValue('Acme')
})

test("a column's plus button adds a deal and edits its name in place; Enter saves the typed name, Escape keeps the default name, and Undo removes the deal", {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithDeals(server, [{ name: 'Roof', stage: 'Proposal' }])
  await openBoard(page, person)
  const dealNames = async () => (await person.client.from('deals').select('name').order('created_at')).data
  const nameField = columnOf(page, 'Proposal').getByRole('textbox', { name: 'Deal name' })
  const plusButton = page.getByRole('button', { name: 'New deal in Proposal' })

  await plusButton.click()
  await expect(nameField).toBeFocused()
  await expect(nameField).toHaveValue('New Deal - Proposal')
  await page.keyboard.type('Depot lighting')
  await page.keyboard.press('Enter')
  await expect(cardsOf(page, 'Depot lighting')).toBeFocused()
  await expect(toastOf(page)).toContainText('Deal created')
  await expect.poll(dealNames).toEqual([{ name: 'Roof' }, { name: 'Depot lighting' }])

  await plusButton.click()
  await expect(nameField).toBeFocused()
  await page.keyboard.type('Never mind')
  await page.keyboard.press('Escape')
  await expect(nameField).toHaveCount(0)
  await expect(cardsOf(page, 'New Deal - Proposal')).toBeFocused()
  await expect(cardsOf(page, 'New Deal - Proposal')).toContainText('£0')
  // After the undo, the focus moves to the card that takes the position of the removed card.
  await page.keyboard.press('ControlOrMeta+z')
  await expect(cardsOf(page, 'New Deal - Proposal')).toHaveCount(0)
  await expect(cardsOf(page, 'Depot lighting')).toBeFocused()
  await expect.poll(dealNames).toEqual([{ name: 'Roof' }, { name: 'Depot lighting' }])
})

test("a deal created offline is stored, and the toast says 'Saved on this device'", async ({
  page,
  server,
  context,
}) => {
  const person = await personWithDeals(server, [])
  await openBoard(page, person)
  const dialog = await openDialog(page)
  await dialog.getByLabel('Deal name').fill('Made in a tunnel')
  await context.setOffline(true)
  await dialog.getByRole('button', { name: 'Create Deal' }).click()
  await expect(toastOf(page)).toContainText('Saved on this deviceMade in a tunnel')
  await expect(dialog).toHaveCount(0)
  await expect(cardsOf(page, 'Made in a tunnel')).toBeVisible()
  await context.setOffline(false)
  await expect
    .poll(async () => (await person.client.from('deals').select('name')).data, { timeout: 20_000 })
    .toEqual([{ name: 'Made in a tunnel' }])
})
