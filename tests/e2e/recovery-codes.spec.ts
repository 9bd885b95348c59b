import { createPerson, expect, openAs, signInByScreen, test, toastOf } from '../harness/browser.ts'
import { addAppByScreen, region } from './security-page.ts'

test('if the response with new recovery codes is lost, the page reports it, and the next press of the button replaces the codes', async ({
  page,
  server,
}) => {
  const ana = await createPerson(server)
  await openAs(page, ana, '/account')
  const card = region(page, 'Recovery codes')
  const unknownTitle = 'It is not known whether codes were made'
  const loseResponses = () =>
    page.route(/\/factors\/recovery-codes/, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      await route.abort()
    })
  await addAppByScreen(page)
  const dialog = page.getByRole('dialog')
  await loseResponses()
  await card.getByRole('button', { name: 'Make recovery codes' }).click()
  await expect(toastOf(page)).toContainText(unknownTitle)
  await expect(card).toContainText('10 of 10 are left')
  await toastOf(page).getByRole('button', { name: 'Dismiss' }).click()

  await card.getByRole('button', { name: 'Make new codes' }).click()
  await dialog.getByRole('button', { name: 'Make new codes' }).click()
  await expect(toastOf(page)).toContainText(unknownTitle)
  await expect(toastOf(page)).toContainText('The old codes may no longer work: make new ones again.')
  await page.unroute(/\/factors\/recovery-codes/)
  await card.getByRole('button', { name: 'Make new codes' }).click()
  await dialog.getByRole('button', { name: 'Make new codes' }).click()
  await expect(page.getByRole('list', { name: 'Your recovery codes' }).getByRole('listitem')).toHaveCount(10)
})

test('new recovery codes are shown until the person confirms that they are saved, and the page warns if it is left before', async ({
  page,
  server,
}) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await openAs(page, ana, '/crm/overview')
  await page.goto('/crm/settings?tab=security')
  const codeList = page.getByRole('list', { name: 'Your recovery codes' })
  await addAppByScreen(page)
  await page.getByRole('button', { name: 'Make recovery codes' }).click()
  await expect(codeList).toBeFocused()
  const codes = await codeList.getByRole('listitem').allTextContents()
  expect(codes).toHaveLength(10)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/codes.png` })

  await page.getByRole('tab', { name: 'Notifications' }).click()
  await expect(toastOf(page)).toContainText('Your recovery codes are not saved yet')
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/codes-left.png` })
  const securityTab = page.getByRole('tab', { name: 'Security' })
  await securityTab.click()
  await expect(codeList.getByRole('listitem')).toHaveText(codes)
  // The arrow keys still choose tabs.
  await expect(securityTab).toBeFocused()
  // The browser asks before the tab is closed or reloaded.
  const asksBeforeUnload = () => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
  expect(await asksBeforeUnload()).toBe(true)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await expect(region(page, 'Recovery codes')).toContainText('10 of 10 are left')
  expect(await asksBeforeUnload()).toBe(false)
  await page.getByRole('tab', { name: 'Notifications' }).click()
  await securityTab.click()
  await expect(region(page, 'Recovery codes')).toContainText('10 of 10 are left')
  await expect(toastOf(page)).toHaveCount(0)
})

test('recovery codes that are not saved disappear with the sign-out, and are not shown to the next person', async ({
  page,
  server,
}) => {
  const ana = await createPerson(server)
  await openAs(page, ana, '/account')
  await addAppByScreen(page)
  await page.getByRole('button', { name: 'Make recovery codes' }).click()
  const codeList = page.getByRole('list', { name: 'Your recovery codes' })
  await expect(codeList).toBeVisible()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/auth$/)
  await expect(toastOf(page).filter({ hasText: 'not saved' })).toHaveCount(0)
  const bo = await createPerson(server, { name: 'bo' })
  await signInByScreen(page, bo.email, bo.password)
  await page.getByRole('link', { name: 'Security' }).click()
  await addAppByScreen(page)
  await expect(region(page, 'Recovery codes')).toBeVisible()
  await expect(codeList).toHaveCount(0)
})

test('the removal of the last factor, which deletes the recovery codes, also removes unsaved codes from the page', async ({
  page,
  server,
}) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await openAs(page, ana, '/crm/overview')
  await page.goto('/crm/settings?tab=security')
  await addAppByScreen(page)
  await page.getByRole('button', { name: 'Make recovery codes' }).click()
  const codeList = page.getByRole('list', { name: 'Your recovery codes' })
  await expect(codeList).toBeVisible()
  await region(page, 'Second factors')
    .getByRole('button', { name: /^Remove/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(toastOf(page)).toContainText('Factor removed')
  await expect(codeList).toHaveCount(0)
  expect(await page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))).toBe(true)
  await addAppByScreen(page)
  await expect(page.getByRole('button', { name: 'Make recovery codes' })).toBeVisible()
  await expect(codeList).toHaveCount(0)
})
