import type { Page } from '@playwright/test'
import { createPerson, expect, openAs, type Person, signInByScreen, test } from '../harness/browser.ts'
import { foundMarkers, storedTexts, recordRequests } from '../harness/traces.ts'

test.use({ serviceWorkers: 'allow' })
test.setTimeout(180_000)

const pagePaths = ['overview', 'deals', 'contacts', 'companies', 'tasks', 'settings']

const marker = (number: number) => `quillwort${String(number).padStart(2, '0')}`

/** Writes 15 of the 20 markers into rows of the brand. The test uses two more in an e-mail address and a brand's name, and types the last three. */
async function seedMarkers({ client, brandId }: Person): Promise<{ dealId: string }> {
  const expectData = async (request: PromiseLike<{ error: unknown; data: unknown }>) => {
    const { data, error } = await request
    expect(error).toBeNull()
    return data
  }
  const company = { name: marker(1), domain: `${marker(2)}.example`, phone: marker(3), notes: marker(4) }
  await expectData(
    client.from('companies').insert({ brand_id: brandId, website: `https://${marker(5)}.example`, ...company }),
  )
  const contact = { p_email: `${marker(6)}@acme.example`, p_first: marker(7), p_last: marker(8) }
  await expectData(client.rpc('upsert_contact', { p_brand_id: brandId, p_company_name: marker(9), ...contact }))
  const [stage] = (await expectData(
    client.from('deal_stages').select('id').eq('brand_id', brandId).order('position').limit(1),
  )) as { id: string }[]
  const deal = { p_brand_id: brandId, p_name: marker(10), p_stage_id: stage?.id }
  const dealId = (await expectData(client.rpc('quick_create_deal', deal))) as string
  for (const title of [marker(11), marker(12), marker(13), marker(14)])
    await expectData(client.from('tasks').insert({ brand_id: brandId, title }))
  await expectData(
    client
      .from('memberships')
      .update({ display_name: marker(15) })
      .eq('brand_id', brandId),
  )
  return { dealId }
}

/** Opens every page of the app, and the deal, if one is given. */
async function openEveryPage(page: Page, dealId?: string): Promise<void> {
  for (const path of pagePaths) {
    await page.goto(`/crm/${path}`)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  }
  if (dealId) await page.goto(`/crm/deals/${dealId}`)
}

async function addContact(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Add Contact' }).first().click()
  await page.getByRole('dialog').getByLabel('Email').fill(email)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
}

test('after a sign-out, and with another user in the same browser, none of the first user’s 20 marker strings is left', async ({
  page,
  server,
}) => {
  const ana = await createPerson(server, { name: marker(16), brand: marker(17) })
  const bo = await createPerson(server, { brand: 'Harbour' })
  const { dealId } = await seedMarkers(ana)
  await openAs(page, ana, '/crm/contacts')
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  const secondTab = await page.context().newPage()
  await openEveryPage(secondTab, dealId)
  await openEveryPage(page)
  await page.goto('/crm/contacts')
  await expect(page.getByText(marker(7))).toBeVisible()
  await page.getByRole('searchbox').fill(marker(18))
  await page.getByRole('searchbox').fill('')
  await page.context().setOffline(true)
  for (const number of [19, 20]) await addContact(page, `${marker(number)}@acme.example`)
  const markers = Array.from({ length: 20 }, (_, index) => marker(index + 1))
  const markersBefore = foundMarkers(await storedTexts(page), markers)
  expect(markersBefore.filter((hit) => hit.endsWith('storage')).length).toBeGreaterThanOrEqual(18)
  const tokens = await page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const openRequest = indexedDB.open('banyan-session')
        openRequest.addEventListener('success', () => {
          const getRequest = openRequest.result.transaction('values').objectStore('values').get('session')
          getRequest.addEventListener('success', () => {
            const { access_token, refresh_token } = JSON.parse(getRequest.result)
            openRequest.result.close()
            resolve([access_token, refresh_token])
          })
        })
      }),
  )
  expect(tokens.map((token) => token.length > 5)).toEqual([true, true])
  const anasTraces = [...markers, ana.userId, ana.brandId, ...tokens]

  await signOut(page)
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page).toHaveURL(/\/auth$/)
  await expect(secondTab).toHaveURL(/\/auth$/)
  for (const tab of [page, secondTab]) expect(foundMarkers({ screen: await tab.content() }, anasTraces)).toEqual([])
  // /auth is shown while the sign-out still wipes the data. A sign-out takes at most 3 s.
  await expect.poll(async () => foundMarkers(await storedTexts(page), anasTraces), { timeout: 3_000 }).toEqual([])
  for (const tab of [page, secondTab]) {
    expect(foundMarkers(await storedTexts(tab), anasTraces)).toEqual([])
    await tab.reload()
    await expect(tab.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
    expect(foundMarkers(await storedTexts(tab), anasTraces)).toEqual([])
  }

  await page.context().setOffline(false)
  const requests = recordRequests(page.context())
  await page.reload()
  await signInByScreen(page, bo.email, bo.password)
  await page.waitForURL('**/crm/overview')
  for (const tab of [page, secondTab]) {
    for (const path of pagePaths) {
      await tab.goto(`/crm/${path}`)
      await expect(tab.getByRole('heading', { level: 1 }).first()).toBeVisible()
      expect(foundMarkers(await storedTexts(tab), anasTraces)).toEqual([])
    }
  }
  expect(requests()).toContain('/rest/v1/rpc/pull')
  expect(foundMarkers({ requests: requests() }, anasTraces)).toEqual([])
})

test('a response that arrives after the sign-out leaves no trace', async ({ page, server }) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await seedMarkers(ana)
  await openAs(page, ana, '/crm/contacts')
  await expect(page.getByText(marker(7))).toBeVisible()
  let heldCount = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/rest/v1/rpc/pull', async (route) => {
    heldCount += 1
    const response = await route.fetch()
    await released
    await route.fulfill({ response }).catch(() => {})
  })
  await ana.client.from('companies').insert({ brand_id: ana.brandId, name: `${marker(1)} late` })
  await expect.poll(() => heldCount, { timeout: 15_000 }).toBeGreaterThan(0)
  await signOut(page)
  await expect(page).toHaveURL(/\/auth$/)
  const pullResponse = page.waitForResponse('**/rest/v1/rpc/pull')
  release()
  await pullResponse
  // Waits until the page has handled the response: several turns of the event loop and of IndexedDB.
  await page.evaluate(async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 25))
  })
  expect(foundMarkers(await storedTexts(page), [marker(1), marker(7), ana.userId])).toEqual([])
  expect(await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))).toEqual([
    'banyan-session',
  ])
})
