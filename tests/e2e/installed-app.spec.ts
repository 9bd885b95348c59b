import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import config from '../../playwright.config.ts'
import { createPerson, expect, expectAccessible, openAs, test, toastOf } from '../harness/browser.ts'
import { offlineLaunch } from '../harness/offline-launch.ts'
import { startTestServer } from '../harness/server.ts'

const webRoot = process.env.BANYAN_WEB_ROOT ?? 'dist/web'

test.use({ serviceWorkers: 'allow', launchOptions: offlineLaunch })

/** Waits until the service worker can open the page without a network. */
async function untilOfflineReady(page: Page): Promise<void> {
  const isKept = () =>
    page.evaluate(async () => navigator.serviceWorker.controller !== null && (await caches.has('config')))
  await expect.poll(isKept, { timeout: 30_000 }).toBe(true)
}

test('the browser reports no installability error', { tag: '@long' }, async ({ server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const profile = await mkdtemp(join(tmpdir(), 'banyan-profile-'))
  // Only a browser with a profile on disk can install an app.
  const context = await chromium.launchPersistentContext(profile, { ...config.use?.launchOptions, baseURL: server.url })
  const page = await context.newPage()
  await openAs(page, person)
  await untilOfflineReady(page)
  const cdp = await context.newCDPSession(page)
  expect(await cdp.send('Page.getInstallabilityErrors')).toEqual({ installabilityErrors: [] })
  const { errors, url } = await cdp.send('Page.getAppManifest')
  expect([errors, new URL(url).pathname]).toEqual([[], '/manifest.webmanifest'])
  await context.close()
  await rm(profile, { recursive: true, force: true })
})

test('offline every page opens, and API requests are never served from a cache', { tag: '@long' }, async ({
  page,
  server,
  context,
}) => {
  test.setTimeout(90_000)
  await openAs(page, await createPerson(server, { brand: 'Harbour' }))
  await untilOfflineReady(page)
  await context.setOffline(true)
  const headings = {
    overview: 'Dashboard Overview',
    deals: 'Deals Pipeline',
    contacts: 'Contacts',
    companies: 'Companies',
    tasks: 'Tasks',
    settings: 'Settings',
    'import-contacts': 'Import',
  }
  for (const [path, heading] of Object.entries(headings)) {
    await page.goto(`/crm/${path}`)
    await expect(page.getByRole('heading', { name: heading }).first()).toBeVisible()
  }
  for (const path of ['/rest/v1/deals', '/auth/v1/settings', '/healthz', '/readyz', '/.well-known/jwks.json']) {
    expect(await page.evaluate((address) => fetch(address).then(String, () => 'no network'), path)).toBe('no network')
  }
  const cachedPaths = await page.evaluate(async () => {
    const requestsByCache = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
    )
    return requestsByCache.flat().map(({ url }) => new URL(url).pathname)
  })
  expect(cachedPaths.filter((path) => /\/(rest|auth|realtime)\/v1/.test(path))).toEqual([])
})

test('offline the app opens before the first sign-in and after a sign-out, and stores nobody’s data', {
  tag: '@long',
}, async ({ page, server, context }) => {
  test.setTimeout(90_000)
  const person = await createPerson(server, { brand: 'Harbour' })
  await page.goto('/auth')
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await untilOfflineReady(page)
  const expectSignInOffline = async (path: string) => {
    await page.goto(path)
    await expect(page).toHaveURL(/\/auth$/)
    await expect(page.getByText('You are offline. Signing in needs a connection.')).toBeVisible()
  }
  await context.setOffline(true)
  await expectSignInOffline('/auth')
  await expectSignInOffline('/')
  await expectSignInOffline('/crm/deals')
  await expectAccessible(page)
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await expect(page.getByText('You are offline. Signing up needs a connection.')).toBeVisible()
  await page.getByRole('tab', { name: 'Sign In' }).click()
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(toastOf(page)).toContainText('The server does not answer.')

  await context.setOffline(false)
  await expect(page.getByText('You are offline.')).toHaveCount(0)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('banner')).toContainText(person.brandName)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/auth$/)
  await context.setOffline(true)
  await expectSignInOffline('/crm/overview')
  const storedData = await page.evaluate(async () => {
    const cacheNames = await caches.keys()
    const responsesByCache = await Promise.all(cacheNames.map(async (name) => (await caches.open(name)).matchAll()))
    const texts = await Promise.all(responsesByCache.flat().map((answer) => answer.text()))
    const databases = await indexedDB.databases()
    return { cached: texts.join(' '), databases: databases.map(({ name }) => name) }
  })
  expect(storedData.cached.length).toBeGreaterThan(100_000)
  for (const secret of [person.email, person.brandName, person.userId]) expect(storedData.cached).not.toContain(secret)
  expect(storedData.databases).toEqual(['banyan-session'])
})

test("a new version is announced; typed text and the old files stay until 'Reload' loads it; SERVICE_WORKER=off removes the worker and its caches", {
  tag: '@long',
}, async ({ context, page }) => {
  test.setTimeout(120_000)
  const firstServer = await startTestServer({ webRoot })
  const person = await createPerson(firstServer, { brand: 'Harbour' })
  await page.goto(`${firstServer.url}/crm/deals`)
  await signIn(page, person)
  await untilOfflineReady(page)
  await page.getByRole('button', { name: 'New Deal', exact: true }).first().click()
  await page.getByLabel('Deal name').fill('Acme renewal')

  const newerFolder = await newerBuild()
  const { port, databaseUrl, dataDir } = firstServer
  await firstServer.kill()
  const secondServer = await startTestServer({
    webRoot: newerFolder,
    dataDir,
    ...(databaseUrl ? { databaseUrl } : {}),
    env: { PORT: String(port) },
  })
  await updateServiceWorker(page)
  await expect(page.getByText('A new version is ready')).toBeVisible()
  await expect(page.getByLabel('Deal name')).toHaveValue('Acme renewal')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Companies' }).first().click()
  await expect(page.getByRole('heading', { name: 'Companies', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.locator('meta[name=newer]')).toBeAttached()

  await secondServer.stop()
  const thirdServer = await startTestServer({
    webRoot: newerFolder,
    dataDir,
    ...(databaseUrl ? { databaseUrl } : {}),
    env: { PORT: String(port), SERVICE_WORKER: 'off' },
  })
  await page.reload()
  // A browser checks for a new worker at each navigation; here the page checks until the worker is gone.
  const remainingAfterUpdate = async () => {
    await updateServiceWorker(page)
    return remainingOf(page)
  }
  await expect.poll(remainingAfterUpdate, { timeout: 20_000 }).toEqual({ workers: 0, caches: 0 })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Companies', exact: true })).toBeVisible()
  expect(await remainingOf(page)).toEqual({ workers: 0, caches: 0 })
  await thirdServer.stop()
  await firstServer.stop().catch(() => {})
  await rm(newerFolder, { recursive: true })
  await context.close()
})

test.describe('the install prompt', () => {
  // Service workers are blocked, because a service worker would fetch the whole app.
  test.use({ serviceWorkers: 'block' })

  test("spec 1: an install prompt reading 'Add to your home screen for quick access and offline support'. Success message: 'App installed successfully!'.", async ({
    page,
    server,
  }) => {
    await openAs(page, await createPerson(server, { brand: 'Harbour' }))
    const card = page.getByRole('region', { name: 'Install the app' })
    await expect(page.getByRole('heading', { name: 'Dashboard Overview' })).toBeVisible()
    await expect(card.first()).toHaveCount(0)
    await offerInstall(page)
    await expect(card.first()).toContainText('Add to your home screen for quick access and offline support')
    await card.getByRole('button', { name: 'Install' }).first().click()
    expect(await page.evaluate(() => Reflect.get(globalThis, 'asked'))).toBe(true)
    await page.evaluate(() => dispatchEvent(new Event('appinstalled')))
    await expect(toastOf(page)).toContainText('App installed successfully!')
    await expect(card).toHaveCount(0)
  })

  test('the install prompt does not return for 30 days after it was closed', { tag: '@long' }, async ({
    page,
    server,
  }) => {
    await page.clock.install()
    await openAs(page, await createPerson(server, { brand: 'Harbour' }))
    await expect(page.getByRole('heading', { name: 'Dashboard Overview' })).toBeVisible()
    const card = page.getByRole('region', { name: 'Install the app' })
    await offerInstall(page)
    await card.getByRole('button', { name: 'Not now' }).first().click()
    await expect(card).toHaveCount(0)
    for (const [days, count] of [
      [29, 0],
      [31, 1],
    ] as const) {
      await page.evaluate(
        (agoMs) => localStorage.setItem('banyan-install-dismissed', String(Date.now() - agoMs)),
        days * 86_400_000,
      )
      await page.reload()
      await expect(page.getByRole('heading', { name: 'Dashboard Overview' })).toBeVisible()
      await offerInstall(page)
      await expect(card.filter({ visible: true })).toHaveCount(count)
    }
  })
})

/** Fires the browser's install event, as Chromium does for a returning visitor. */
async function offerInstall(page: Page): Promise<void> {
  await page.evaluate(() => {
    const installEvent = new Event('beforeinstallprompt', { cancelable: true })
    Object.assign(installEvent, {
      prompt: async () => {
        Object.assign(globalThis, { asked: true })
        return { outcome: 'accepted' }
      },
    })
    dispatchEvent(installEvent)
  })
}

async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.waitForURL('**/crm/deals')
}

async function updateServiceWorker(page: Page): Promise<void> {
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
}

async function remainingOf(page: Page): Promise<{ workers: number; caches: number }> {
  return page.evaluate(async () => ({
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    caches: (await caches.keys()).length,
  }))
}

/**
 * Makes a later build in a new folder: a changed index.html, and a service worker whose list of files has another revision of index.html.
 * Removes the compressed copies of both files, because they have the old content. Returns the folder.
 */
async function newerBuild(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'banyan-newer-'))
  await cp(webRoot, folder, { recursive: true })
  for (const file of ['index.html', 'sw.js'])
    for (const suffix of ['.br', '.gz']) await rm(join(folder, file + suffix), { force: true })
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  await writeFile(join(folder, 'index.html'), page.replace('<head>', '<head><meta name="newer" content="yes" />'))
  const workerSource = await readFile(join(folder, 'sw.js'), 'utf8')
  const changedSource = workerSource
    .replace(/(url:"index\.html",revision:")[0-9a-f]+/, '$1newer')
    .replace(/(revision:")[0-9a-f]+(",url:"index\.html")/, '$1newer$2')
  expect(changedSource).not.toBe(workerSource)
  await writeFile(join(folder, 'sw.js'), changedSource)
  return folder
}

test('the licences of all shipped code and of the font are served', async ({ server }) => {
  const texts = await Promise.all(
    ['/third-party-licenses.txt', '/font-license.txt'].map(async (path) => (await fetch(server.url + path)).text()),
  )
  expect(texts[0]).toContain('react-dom')
  expect(texts[0]).toContain('@supabase/supabase-js')
  expect(texts[1]).toContain('SIL Open Font License')
})
