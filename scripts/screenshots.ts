/**
 * `npm run screenshots`: writes pictures of the pages, panels and dialogs of the demo brand at three widths, light and dark, into screenshots/.
 * Prints the layout shift of each page's load, without and with local data. Fails if a layout shift is more than 0.02, or if a picture cannot be
 * taken. Names, widths and schemes select pictures: `npm run screenshots -- deals tasks 390 dark`.
 */
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { type Browser, chromium, type Page } from '@playwright/test'
import { testClient } from '#tests/harness/client.ts'
import { layoutShift, watchLayoutShift } from '#tests/harness/layout-shift.ts'
import { startTestServer } from '#tests/harness/server.ts'
import { fillDemoBrand } from './demo/fill.ts'
import { brand, owner } from './demo/records.ts'
import { type RecordIds, type Screen, screens, shownRecords, signedOutScreens } from './screens/screens.ts'

const maxLayoutShift = 0.02
const pictureFolder = 'screenshots'
const requestedWords = process.argv.slice(2)
const screenNames = new Set(selectedFrom([...signedOutScreens, ...screens].map(({ name }) => name)))
let faults = 0

if (!process.env.BANYAN_WEB_ROOT) spawnSync(process.execPath, ['scripts/build.mjs', '--if-stale'], { stdio: 'inherit' })
mkdirSync(pictureFolder, { recursive: true })
const server = await startTestServer({ webRoot: process.env.BANYAN_WEB_ROOT ?? 'dist/web' })
try {
  await fillDemoBrand(() => testClient(server))
  const ids = await readIds()
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args })
  for (const width of selectedFrom(['1440', '768', '390'])) {
    for (const scheme of selectedFrom(['light', 'dark'] as const)) await takeAll(browser, Number(width), scheme, ids)
  }
  await browser.close()
} finally {
  await server.stop()
}
console.log(faults === 0 ? `All taken; no page shifts by more than ${maxLayoutShift}.` : `${faults} faults.`)
process.exit(faults === 0 ? 0 : 1)

/** Returns the values that the command names. Returns all if it names none. */
function selectedFrom<T extends string>(all: readonly T[]): T[] {
  const namedValues = all.filter((value) => requestedWords.includes(value))
  return namedValues.length > 0 ? namedValues : [...all]
}

/** Reads the ids of the shown records, and adds a second brand. */
async function readIds(): Promise<RecordIds> {
  const client = testClient(server)
  await client.auth.signInWithPassword(owner)
  // With only one brand, /select-brand would open it.
  await client.from('brands').insert({ id: randomUUID(), name: 'Tern & Tide', slug: 'tern-tide' })
  const idEntries = Object.entries(shownRecords).map(async ([table, [column, value]]) => {
    const { data, error } = await client.from(table).select('id').eq(column, value).single()
    if (error) throw new Error(`${value}: ${error.message}`)
    return [table, data.id]
  })
  return Object.fromEntries(await Promise.all(idEntries))
}

async function takeAll(browser: Browser, width: number, colorScheme: 'light' | 'dark', ids: RecordIds): Promise<void> {
  const isPhone = width < 500
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width, height: width === 768 ? 1024 : isPhone ? 844 : 900 },
    deviceScaleFactor: isPhone ? 2 : 1.5,
    hasTouch: isPhone,
    isMobile: isPhone,
    colorScheme,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  page.on('pageerror', (error) => console.log(`${page.url()} threw: ${error.message}`))
  await watchLayoutShift(page)
  const takeIfSelected = async (screen: Screen) => {
    const name = `${screen.name}-${width}-${colorScheme}`
    if (!screenNames.has(screen.name)) return
    await takeOne(page, screen, ids, name).catch((error: Error) => {
      faults += 1
      console.log(`${name}: ${error.message}`)
    })
  }
  for (const screen of signedOutScreens) await takeIfSelected(screen)
  await page.goto('/auth')
  await page.getByLabel('Email').fill(owner.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.getByRole('listitem').filter({ hasText: brand }).getByRole('button').click()
  await page.waitForURL('**/crm/overview')
  for (const screen of screens) await takeIfSelected(screen)
  await context.close()
}

async function takeOne(page: Page, screen: Screen, ids: RecordIds, name: string): Promise<void> {
  await deleteLocalRows(page)
  await page.goto(screen.pathOf(ids))
  await waitForContent(page, screen)
  const firstShift = await layoutShift(page)
  await page.reload()
  await waitForContent(page, screen)
  const secondShift = await layoutShift(page)
  console.log(`${name}: ${firstShift.sum.toFixed(4)}, again ${secondShift.sum.toFixed(4)}`)
  for (const { sum, shifts } of [firstShift, secondShift]) {
    if (sum <= maxLayoutShift) continue
    faults += 1
    console.log(`  too much: ${shifts.join('\n    ')}`)
  }
  await screen.prepare?.(page)
  await waitForStillness(page)
  await page.screenshot({ path: `${pictureFolder}/${name}.png` })
}

/** Deletes all local databases except that of the session. So the next load starts like on a new device that is signed in. */
async function deleteLocalRows(page: Page): Promise<void> {
  await page.goto('/config.js')
  await page.evaluate(async () => {
    for (const { name } of await indexedDB.databases()) {
      if (!name || name === 'banyan-session') continue
      await new Promise((resolve, reject) => {
        const request = indexedDB.deleteDatabase(name)
        request.onsuccess = resolve
        request.onerror = reject
      })
    }
  })
}

/** Waits until the content is visible and all requests have a response. */
async function waitForContent(page: Page, { shown }: Screen): Promise<void> {
  await page.getByText(shown).filter({ visible: true }).first().waitFor()
  await page.waitForLoadState('networkidle')
  await waitForStillness(page)
}

/** Waits until no skeleton is shown, no finite animation runs, and no font is loading. */
async function waitForStillness(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.fonts.status === 'loaded' &&
      !document.querySelector('.bg-skel') &&
      document
        .getAnimations()
        .every(({ effect, playState }) => playState !== 'running' || effect?.getTiming().iterations === Infinity),
  )
}
