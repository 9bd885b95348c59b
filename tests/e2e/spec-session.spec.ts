import type { Page, Response } from '@playwright/test'
import { createPerson, expect, newEmail, openAs, signUpByScreen, test, toastOf } from '../harness/browser.ts'

/** Resolves with the next response to a token refresh. */
const refreshOf = (page: Page) =>
  page.waitForResponse((response) => response.url().includes('/auth/v1/token?grant_type=refresh_token'))

/** Changes the stored session so that it expires in a minute. The official client reads the session at each tick of its timer (every 30 s). */
async function makeSessionEndSoon(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const openRequest = indexedDB.open('banyan-session')
        openRequest.addEventListener('success', () => {
          const store = openRequest.result.transaction('values', 'readwrite').objectStore('values')
          const readRequest = store.get('session')
          readRequest.addEventListener('success', () => {
            const session = { ...JSON.parse(readRequest.result), expires_at: Math.round(Date.now() / 1000) + 60 }
            store.put(JSON.stringify(session), 'session').addEventListener('success', () => {
              openRequest.result.close()
              resolve()
            })
          })
        })
        openRequest.addEventListener('error', () => reject(openRequest.error))
      }),
  )
}

/**
 * Makes the session expire soon and moves the clock to the next tick. Returns the response to the refresh. If another request has caused
 * the refresh before the tick, the clock is not moved, because that would abort the refresh.
 */
async function untilRefreshed(page: Page): Promise<Response> {
  const refresh = refreshOf(page)
  await makeSessionEndSoon(page)
  const isDone = await Promise.race([refresh.then(() => true), page.waitForTimeout(1_500).then(() => false)])
  if (!isDone) await page.clock.fastForward(31_000)
  return refresh
}

/** Makes the page hidden, like a background tab, or visible. */
async function setPageVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((visibility) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibility })
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => visibility === 'hidden' })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, state)
}

test('spec 4: Session: token auto-refreshes, pauses while the page is hidden and recovers when visible.', async ({
  page,
  server,
}) => {
  await page.clock.install()
  await openAs(page, await createPerson(server, { brand: 'Acme' }))
  await expect(page.getByRole('heading', { name: 'Dashboard Overview' })).toBeVisible()
  expect((await untilRefreshed(page)).status()).toBe(200)

  await setPageVisibility(page, 'hidden')
  // Waits for requests that started before the page was hidden.
  await page.waitForTimeout(1_500)
  await makeSessionEndSoon(page)
  const requests: string[] = []
  page.on('request', (request) => {
    if (/\/(auth|rest)\/v1\//.test(request.url())) requests.push(request.url())
  })
  for (let tick = 0; tick < 4; tick++) await page.clock.fastForward(31_000)
  await page.waitForTimeout(1_000)
  expect(requests).toEqual([])

  const refreshAfterReturn = refreshOf(page)
  await setPageVisibility(page, 'visible')
  expect((await refreshAfterReturn).status()).toBe(200)
  await expect(page.getByRole('heading', { name: 'Dashboard Overview' })).toBeVisible()
})

test('spec 8: Token refresh failures are logged only.', async ({ page, server }) => {
  await page.clock.install()
  await openAs(page, await createPerson(server, { brand: 'Acme' }))
  await expect(page.getByRole('heading', { name: 'Dashboard Overview' })).toBeVisible()
  await page.clock.fastForward(10_000)
  await expect(toastOf(page)).toHaveCount(0)
  const lines: string[] = []
  page.on('console', (message) => {
    if (!message.text().startsWith('Failed to load resource')) lines.push(message.text())
  })
  await page.route('**/auth/v1/token*', (route) =>
    route.fulfill({ status: 500, json: { code: 'unexpected_failure', msg: 'The key set is away' } }),
  )
  await untilRefreshed(page)
  await expect.poll(() => lines.join('\n')).toMatch(/session could not be refreshed.*The key set is away/)
  await expect(toastOf(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/crm\/overview$/)
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Deals' }).click()
  await expect(page.getByRole('heading', { name: 'Deals Pipeline' })).toBeVisible()
})

test('spec 7: sign up (email, password, redirect to /select-brand after email confirmation)', async ({
  page,
  server,
}) => {
  await page.goto('/auth')
  const signUpRequest = page.waitForRequest(/\/auth\/v1\/signup/)
  const email = newEmail()
  await signUpByScreen(page, email, 'correct horse')
  const request = await signUpRequest
  expect(new URL(request.url()).searchParams.get('redirect_to')).toBe(`${server.url}/select-brand`)
  expect(request.postDataJSON()).toMatchObject({ email, password: 'correct horse' })
})
