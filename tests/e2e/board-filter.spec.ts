import { expect, expectAccessible, test } from '../harness/browser.ts'
import { insertRow } from './contact-seeds.ts'
import { cardsOf, columnOf, openBoard, personWithDeals } from './deal-seeds.ts'

test('the board is filtered by custom fields of deals (options, yes or no, bounds); the sums count the shown deals only, and the URL contains the filter; on the phone the filter is a sheet', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await personWithDeals(server, [
    { name: 'Roof', amount: 100 },
    { name: 'Pump', amount: 2_000, stage: 'Proposal' },
    { name: 'Mast', amount: 40 },
  ])
  const addField = (label: string, type: string, otherColumns = {}) =>
    insertRow(person, 'custom_fields', { table: 'deals', label, type, ...otherColumns })
  const sourceId = await addField('Source', 'choice', {
    options: [
      { id: 'fair', label: 'Fair' },
      { id: 'web', label: 'Web' },
    ],
    position: 1,
  })
  const marginId = await addField('Margin', 'number', { position: 2 })
  const renewalId = await addField('Renewal', 'yes_no', { position: 3 })
  const values = {
    Roof: { [sourceId]: 'fair', [marginId]: 10, [renewalId]: true },
    Pump: { [sourceId]: 'web', [marginId]: 30, [renewalId]: true },
    Mast: { [sourceId]: 'fair', [marginId]: 20 },
  }
  for (const [name, custom] of Object.entries(values)) {
    const { error } = await person.client.from('deals').update({ custom }).eq('name', name)
    expect(error).toBeNull()
  }
  await openBoard(page, person)
  const cards = page.locator('[data-deal]')
  const filter = page.getByRole('button', { name: /^Filter/ })
  const panel = page.getByRole('dialog', { name: 'Filter' })
  await filter.click()
  await panel.getByRole('checkbox', { name: 'Fair' }).check()
  await expect(cards).toHaveCount(2)
  await expect(cardsOf(page, 'Pump')).toHaveCount(0)
  await expect(columnOf(page, 'Incoming').locator('header')).toContainText('£140')
  await expectAccessible(page)
  await panel.getByRole('textbox', { name: 'Margin from' }).fill('15')
  await page.keyboard.press('Enter')
  await expect(cards).toHaveText([/Mast/])
  await expect(columnOf(page, 'Incoming').locator('header')).toContainText('£40')
  await page.keyboard.press('Escape')
  // Escape also makes the page go back over the filter's history entry. Waits for this step back: it would cancel a reload that has begun.
  await expect.poll(() => page.evaluate(() => Number(history.state.layers ?? 0))).toBe(0)
  await page.reload()
  await expect(cards).toHaveText([/Mast/])
  const chips = page.getByRole('list', { name: 'Filters' }).getByRole('button')
  await page.getByRole('button', { name: /^Margin: from 15\. Remove/ }).click()
  await expect(cards).toHaveCount(2)
  await page.getByRole('button', { name: /^Source: Fair\. Remove/ }).click()
  await expect(cards).toHaveCount(3)
  await expect(chips).toHaveCount(0)

  // On the phone the visible stage has no matching deal, so the board shows the first stage that has one.
  await page.setViewportSize({ width: 390, height: 844 })
  await filter.click()
  await panel.getByRole('checkbox', { name: 'Web' }).check()
  await panel.getByRole('button', { name: 'Done' }).click()
  await expect(cardsOf(page, 'Pump')).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('status').filter({ hasText: /^\d+ in / })).toHaveText('1 in Proposal')
  await expectAccessible(page)
})
