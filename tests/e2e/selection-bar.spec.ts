import type { Locator } from '@playwright/test'
import { expect, openAs, test, toastOf } from '../harness/browser.ts'
import { insertRow } from './contact-seeds.ts'
import { cardsOf, openBoard, personWithDeals } from './deal-seeds.ts'

/** Returns the labels of the bar's buttons whose middle is outside of the window or under another element. */
function unreachableButtons(bar: Locator): Promise<string[]> {
  return bar.evaluate((element) =>
    [...element.querySelectorAll('button')].flatMap((button) => {
      const { left, top, width, height } = button.getBoundingClientRect()
      const hit = document.elementFromPoint(left + width / 2, top + height / 2)
      const bounds = element.getBoundingClientRect()
      const isInside = left >= bounds.left && left + width <= bounds.right
      return button.contains(hit) && isInside ? [] : [button.getAttribute('aria-label') ?? button.textContent]
    }),
  )
}

test('each action for selected deals can be reached in a narrow window and beside a panel, and a toast covers none', async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [
    { name: 'Harbour wall', contact: { first: 'Mei', last: 'Tan', email: 'mei@harbour.example' } },
  ])
  await insertRow(person, 'custom_fields', { table: 'deals', label: 'Region', type: 'text' })
  await openBoard(page, person)
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await cardsOf(page, 'Harbour wall').click({ modifiers: ['ControlOrMeta'] })
  await expect(bar.getByRole('button', { name: 'Set field…' })).toBeVisible()
  await expect(bar.getByRole('button')).toHaveCount(7)
  for (const width of [1440, 1000, 820, 720, 640, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(() => unreachableButtons(bar), `${width} px`).toEqual([])
  }
  await page.setViewportSize({ width: 720, height: 800 })
  await bar.getByRole('button', { name: 'Move' }).click()
  await page.getByRole('menuitem', { name: 'Proposal' }).click()
  await expect(toastOf(page)).toBeVisible()
  await expect
    .poll(async () => {
      const [toastBox, barBox] = [await toastOf(page).boundingBox(), await bar.boundingBox()]
      return (barBox?.y ?? 0) - ((toastBox?.y ?? 800) + (toastBox?.height ?? 0))
    })
    .toBeGreaterThanOrEqual(0)

  // In a window of 1,024 px, the list beside an open panel is 416 px wide.
  const { data } = await person.client.from('deals').select('id').single()
  await openAs(page, person, `/crm/deals/${data?.id}`)
  await page.setViewportSize({ width: 1024, height: 800 })
  await page.locator(`[data-deal="${data?.id}"]`).click({ modifiers: ['ControlOrMeta'] })
  await expect(bar).toContainText('1 selected')
  await expect.poll(() => unreachableButtons(bar)).toEqual([])
})
