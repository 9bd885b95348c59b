import { expect, expectAccessible, openContext, openAs, test } from '../harness/browser.ts'
import { cardsOf, columnOf, openBoard, runAsOwnerRole } from './deal-seeds.ts'
import { ownerAndAna } from './live-seeds.ts'

/** Returns the date of today plus `days` (`YYYY-MM-DD`), in UTC. */
function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}

test('a card shows its owner and whether it is overdue; the URL contains the filter by owner, and the sums count the shown deals only', {
  tag: '@long',
}, async ({ page, server, browser }) => {
  const { owner, ana } = await ownerAndAna(server, [
    {
      name: 'Acme renewal',
      amount: 500,
      day: dayFromNow(-3),
      contact: { first: 'Mei', last: 'Li', email: 'm@a.example' },
    },
    { name: 'Depot lighting', amount: 70 },
    { name: 'Data platform', amount: 9, stage: 'Proposal' },
    { name: 'Old roof', amount: 4, stage: 'Verbal Yes', day: dayFromNow(2) },
    { name: 'Signed', amount: 5, stage: 'Won', day: dayFromNow(-9) },
  ])
  const setOwnerSql = 'update deals set owner_id = $1 where brand_id = $2 and name = any($3)'
  await runAsOwnerRole(server, setOwnerSql, [ana.userId, owner.brandId, ['Acme renewal', 'Data platform', 'Signed']])
  await runAsOwnerRole(server, setOwnerSql, [owner.userId, owner.brandId, ['Old roof']])

  await openBoard(page, owner)
  const acmeCard = cardsOf(page, 'Acme renewal')
  await expect(acmeCard.getByTitle('Owner: Ana Pryce')).toHaveText('AP')
  await expect(acmeCard).toContainText('Mei Li')
  await expect(acmeCard).toHaveAccessibleName(/overdue, was to close .*, owner Ana Pryce$/)
  await expect(cardsOf(page, 'Depot lighting').getByTitle(/^Owner/)).toHaveCount(0)
  await expect(cardsOf(page, 'Old roof')).toHaveAccessibleName(/, closes /)
  await expect(page.getByTitle('Overdue')).toHaveCount(1)

  const ownerFilter = page.getByRole('button', { name: /^Owner: / })
  await expect(ownerFilter).toHaveAccessibleName('Owner: everybody')
  await ownerFilter.click()
  const ownerItems = page.getByRole('menu', { name: 'Owner' }).getByRole('menuitemradio')
  await expect(ownerItems).toHaveText(['Everybody', 'Mine', 'No owner', /You$/, /Ana Pryce$/])
  await expectAccessible(page)
  await ownerItems.filter({ hasText: 'Ana Pryce' }).click()
  await expect(page).toHaveURL(new RegExp(`/crm/deals\\?owner=${ana.userId}$`))
  await expect(ownerFilter).toHaveAccessibleName('Owner: Ana Pryce')
  await expect(cardsOf(page, 'Depot lighting')).toHaveCount(0)
  await expect(columnOf(page, 'Incoming').locator('header')).toContainText('£500')
  await expect(columnOf(page, 'Proposal').locator('header')).toContainText('£9')

  // The filter is kept when the user comes back by the link 'Deals'. The URL restores it after Back, after a reload, and for a colleague.
  await acmeCard.click()
  await page.getByRole('complementary', { name: 'Deal' }).getByRole('link', { name: 'Mei Li' }).click()
  await expect(page).toHaveURL(/\/crm\/contacts\//)
  await page.getByRole('link', { name: 'Deals', exact: true }).click()
  await expect(ownerFilter).toHaveAccessibleName('Owner: Ana Pryce')
  await page.goBack()
  await page.goBack()
  await page.reload()
  await expect(page).toHaveURL(new RegExp(`\\?owner=${ana.userId}$`))
  await expect(ownerFilter).toHaveAccessibleName('Owner: Ana Pryce')
  await expect(cardsOf(page, 'Depot lighting')).toHaveCount(0)
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  const [, query = ''] = page.url().split('?')
  const anasPage = await (await openContext(browser, server)).newPage()
  await openAs(anasPage, ana, `/crm/deals`)
  await anasPage.goto(`/crm/deals?${query}`)
  await expect(cardsOf(anasPage, 'Acme renewal')).toBeVisible()
  await expect(cardsOf(anasPage, 'Depot lighting')).toHaveCount(0)

  await ownerFilter.click()
  await ownerItems.filter({ hasText: 'No owner' }).click()
  await expect(page).toHaveURL(/\?owner=none$/)
  await expect(page.locator('[data-deal]')).toHaveCount(1)
  await expect(columnOf(page, 'Incoming').locator('header')).toContainText('£70')
  await page.getByRole('button', { name: 'Mine' }).click()
  await expect(page).toHaveURL(/\?mine=1$/)
  await expect(ownerFilter).toHaveAccessibleName('Owner: me')
  await expect(page.locator('[data-deal]')).toContainText(['Old roof'])
})
