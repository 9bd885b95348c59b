import { randomUUID } from 'node:crypto'
import { test as base, type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import type { SupabaseClient } from '@supabase/supabase-js'
import { authRequest } from './auth-request.ts'
import { axeViolations } from './axe.ts'
import { signUpPerson } from './client.ts'
import { startTestServer, type TestServer } from './server.ts'
import { type WarmPage, WarmPages } from './warm-page.ts'

/** The built client under test. */
export const webRoot = process.env.BANYAN_WEB_ROOT ?? 'dist/web'

/**
 * Playwright's test with a running server (one per worker, with its own database) as `server` and its URL as `baseURL`. A test
 * fails if its page throws or violates the content security policy. The tests of a worker share a page, and the page is emptied between
 * two tests. A new page would compile the whole app again, and take half of the processor time of a short test.
 */
export const test = base.extend<{ faults: string[]; warm: WarmPage }, { server: TestServer; warmPages: WarmPages }>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern.
    async ({}, provide) => {
      const server = await startTestServer({ webRoot })
      await provide(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  warmPages: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern.
    async ({}, provide) => {
      const pages = new WarmPages()
      await provide(pages)
      await pages.close()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, provide) => provide(server.url),
  warm: async (
    { browser, warmPages, server, viewport, hasTouch, isMobile, locale, timezoneId, serviceWorkers, contextOptions },
    provide,
    testInfo,
  ) => {
    const options = { viewport, hasTouch, isMobile, locale, timezoneId, serviceWorkers, contextOptions }
    const warm = await warmPages.take(browser, options)
    await provide(warm)
    const mustClose = testInfo.status !== testInfo.expectedStatus || serviceWorkers === 'allow'
    await warmPages.giveBack(warm, new URL('/healthz', server.url).href, mustClose)
  },
  context: async ({ warm }, provide) => provide(warm.context),
  page: async ({ warm }, provide) => provide(warm.page),
  faults: [
    async ({ context }, provide) => {
      const faults: string[] = []
      watchFaults(context, faults)
      await provide(faults)
      expect(faults).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

/** Collects exceptions and violations of the content security policy in `faults`. For contexts that a test opens itself. */
export function watchFaults(context: BrowserContext, faults: string[]): void {
  context.on('weberror', (error) => faults.push(String(error.error())))
  context.on('console', (message) => {
    if (message.type() === 'error' && /content security policy/i.test(message.text())) faults.push(message.text())
  })
}

/** A person with an account, and with a brand if a name was given. */
export interface Person {
  /** The server of the account. */
  server: Pick<TestServer, 'url' | 'publishableKey'>
  email: string
  password: string
  userId: string
  /** The official client, signed in as this person. */
  client: SupabaseClient
  /** Empty if the person has no brand. */
  brandId: string
  brandName: string
}

/** Returns an e-mail address that is unique in this run. */
export function newEmail(name = 'ana'): string {
  return `${name}-${randomUUID().slice(0, 8)}@acme.example`
}

/** Creates an account through the API, and a brand with its six stages if `brand` is given. */
export async function createPerson(
  server: TestServer,
  options: { name?: string; brand?: string } = {},
): Promise<Person> {
  const email = newEmail(options.name)
  const password = 'correct horse'
  const { client, user } = await signUpPerson(server, email, password)
  const person: Person = { server, email, password, userId: user.id, client, brandId: '', brandName: '' }
  if (options.brand) await createBrand(person, options.brand)
  return person
}

/** Creates a brand of this person through the API; a suffix makes its name unique. Sets brandId and brandName. Returns the id. */
export async function createBrand(person: Person, name: string): Promise<string> {
  const brandName = `${name} ${randomUUID().slice(0, 6)}`
  const brandId = randomUUID()
  const { error } = await person.client.from('brands').insert({ id: brandId, name: brandName, slug: brandName })
  if (error) throw new Error(error.message)
  person.brandId = brandId
  person.brandName = brandName
  return brandId
}

/** Signs this person in with a new session, opens a path of the app and waits for it. If no brand is active yet, /select-brand comes first. */
export async function openAs(page: Page, person: Person, path = '/crm/overview'): Promise<void> {
  await signInThroughApi(page, person)
  await page.goto(path)
  await page.waitForURL((url) => url.pathname === path)
}

/**
 * Creates a new session of the person through the API and stores it in this browser, in the database that the app uses. The sign-in page
 * is not loaded. For tests about signing in, use `signInByScreen`.
 */
export async function signInThroughApi(page: Page, { server, email, password }: Person): Promise<void> {
  const { status, body } = await authRequest(server, '/token?grant_type=password', { body: { email, password } })
  if (status !== 200) throw new Error(`The sign-in of ${email} was refused: ${JSON.stringify(body)}`)
  // A page of this origin without the app's code.
  const blank = new URL('/healthz', server.url).href
  if (page.url() !== blank) await page.goto(blank)
  await page.evaluate(
    async ([name, session, user]) => {
      await new Promise<void>((resolve, reject) => {
        const openRequest = indexedDB.open(name)
        openRequest.addEventListener('upgradeneeded', () => openRequest.result.createObjectStore('values'))
        openRequest.addEventListener('error', () =>
          reject(openRequest.error ?? new Error('IndexedDB cannot be opened.')),
        )
        openRequest.addEventListener('success', () => {
          const transaction = openRequest.result.transaction('values', 'readwrite')
          // The client stores the expiry by the clock of this device.
          const storedSession = { ...session, expires_at: Math.round(Date.now() / 1000) + Number(session.expires_in) }
          transaction.objectStore('values').put(JSON.stringify(storedSession), 'session')
          transaction.objectStore('values').put(user, 'user')
          transaction.addEventListener('complete', () => {
            openRequest.result.close()
            resolve()
          })
        })
      })
    },
    ['banyan-session', body, JSON.stringify({ userId: body.user.id, email })] as const,
  )
}

/** Fills in and submits the 'Sign In' form of /auth, which must be visible. */
export async function signInByScreen(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

/** Fills in and submits the 'Sign Up' form of /auth, which must be visible. */
export async function signUpByScreen(page: Page, email: string, password: string): Promise<void> {
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
}

/** Returns the locator of the toasts that are shown. */
export function toastOf(page: Page) {
  return page.locator('[data-toast]')
}

const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * Expects no violation of WCAG 2.2 A and AA or of axe's best practices on the current page, light and dark.
 * `decoration`: a selector of elements that are not checked, because they contain no text to read.
 */
export async function expectAccessible(page: Page, decoration?: string): Promise<void> {
  // Waits until the page is shown: each page has an `h1`.
  await expect(page.locator('h1').first()).toBeAttached()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveClass(colorScheme === 'dark' ? /dark/ : /^(?!.*dark)/)
    await untilColoursAreStill(page)
    // Checks only colours in the dark page, because all else is the same as in the light one.
    const onlyRules = colorScheme === 'dark' ? ['color-contrast', 'link-in-text-block'] : undefined
    const violations = await axeViolations(page, { tags: everyRule, only: onlyRules, exclude: decoration })
    const labelledViolations = violations.map((violation) => `${colorScheme}: ${violation}`)
    expect(labelledViolations).toEqual([])
  }
}

/** Waits until no transition or finite animation of the page is running. Otherwise a contrast check would measure intermediate colours. */
async function untilColoursAreStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const runningAnimations = () =>
      document.getAnimations().filter((each) => Number.isFinite(Number(each.effect?.getComputedTiming().endTime)))
    // A transition begins in the frame after the change.
    for (let stillFrames = 0; stillFrames < 2; stillFrames += 1) {
      await nextFrame()
      if (runningAnimations().length === 0) continue
      stillFrames = -1
      await Promise.allSettled(runningAnimations().map(({ finished }) => finished))
    }
  })
}

/** Opens a second browser context with its own storage, for a colleague or another device. */
export async function openContext(browser: Browser, server: TestServer): Promise<BrowserContext> {
  return browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
}
