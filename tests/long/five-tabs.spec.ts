import { createPerson, expect, openAs, test } from '../harness/browser.ts'
import { sessionCounts, expireStoredSession, setVisibility, storedExpiry } from '../harness/waking-tabs.ts'

test('five tabs that wake together share one chain of refresh tokens, and no tab is signed out', async ({
  page,
  server,
}) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await ana.client.auth.signOut()
  await openAs(page, ana)
  const others = await Promise.all([1, 2, 3, 4].map(() => page.context().newPage()))
  const tabs = [page, ...others]
  await Promise.all(others.map((tab) => tab.goto('/crm/overview')))
  for (const tab of tabs) await expect(tab.getByRole('heading', { name: 'Dashboard Overview' })).toBeVisible()
  const refreshStatuses: number[] = []
  page.context().on('response', (response) => {
    if (response.url().includes('grant_type=refresh_token')) refreshStatuses.push(response.status())
  })

  await setVisibility(tabs, 'hidden')
  await expireStoredSession(page)
  await setVisibility(tabs, 'visible')
  await expect.poll(() => storedExpiry(page)).toBeGreaterThan(Date.now() / 1000 + 600)
  // Each tab sends requests with its current token.
  await Promise.all(tabs.map((tab) => tab.goto('/crm/contacts')))
  for (const tab of tabs) {
    await expect(tab.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible()
    await expect(tab.getByText('All changes saved')).toBeVisible()
  }
  expect(refreshStatuses.length).toBeGreaterThan(0)
  expect(refreshStatuses.filter((status) => status !== 200)).toEqual([])
  expect(await sessionCounts(server, ana.userId)).toEqual({ sessions: 1, live: 1 })
})
