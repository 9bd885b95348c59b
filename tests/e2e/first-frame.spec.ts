import type { Page } from '@playwright/test'
import { createPerson, expect, openAs, signInByScreen, test } from '../harness/browser.ts'

const paths = ['overview', 'deals', 'contacts', 'companies', 'tasks', 'settings'].map((page) => `/crm/${page}`)

/** Opens the page without its scripts. The returned function loads the scripts and waits until the page is shown. */
async function openWithoutScripts(page: Page, path: string): Promise<() => Promise<void>> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/*.js', async (route) => {
    await released
    await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  return async () => {
    release()
    await expect(page.locator('main')).toBeVisible()
    await page.unroute('**/assets/*.js')
  }
}

/** Returns the page's title with its position and height (px). */
async function titleOf(page: Page) {
  const title = page.locator('h1')
  await expect(title).not.toBeEmpty()
  const { x, y, height } = (await title.boundingBox()) ?? { x: 0, y: 0, height: 0 }
  return { text: await title.textContent(), x, y, height }
}

for (const width of [1440, 390])
  test(`the first paint shows the page's title at its final position, before any script of the app, ${width} px wide`, {
    tag: '@long',
  }, async ({ page, server }) => {
    await page.setViewportSize({ width, height: 844 })
    await openAs(page, await createPerson(server, { brand: 'Acme' }))
    // When this element is visible, the app has stored that a person is signed in.
    await expect(page.locator('main')).toBeVisible()
    for (const path of paths) {
      const loadScripts = await openWithoutScripts(page, path)
      const titleBefore = await titleOf(page)
      await loadScripts()
      expect(titleBefore).toEqual(await titleOf(page))
    }
  })

test('the frame that is painted before the scripts run is hidden before the sign-in and after the sign-out', {
  tag: '@long',
}, async ({ page, server }) => {
  const expectFrameHidden = async () => {
    const loadScripts = await openWithoutScripts(page, '/crm/deals')
    await expect(page.locator('#frame')).toBeAttached()
    await expect(page.locator('#frame')).toBeHidden()
    await loadScripts()
    await expect(page).toHaveURL(/\/auth$/)
  }
  await expectFrameHidden()
  const person = await createPerson(server, { brand: 'Acme' })
  await signInByScreen(page, person.email, person.password)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/auth$/)
  await expectFrameHidden()
})

test('pages of complete tables only pull changes, and do not request their rows again', { tag: '@long' }, async ({
  page,
  server,
}) => {
  await openAs(page, await createPerson(server, { brand: 'Acme' }))
  // Waits until the first pull is stored.
  await page.waitForLoadState('networkidle')
  const requests: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/rest\/v1\/(deals|contacts|companies|tasks)$/.test(pathname)) requests.push(request.url().slice(-120))
  })
  for (const path of paths) {
    const pullResponse = page.waitForResponse((response) => response.url().endsWith('/rest/v1/rpc/pull'))
    await page.goto(path)
    await pullResponse
  }
  expect(requests).toEqual([])
})
