/**
 * `npm run bench:screens`: measures a brand with 10,000 deals and 50,000 contacts in a real browser, signed in, with a warm HTTP cache. Prints
 * medians of: the first paint with an empty and with a filled local database, long tasks of a drag and of other work, the delay of input, the memory
 * of the tab, also after many rounds of work, and the first pull of another brand whose 50,000 rows are complete on a device. `--runs 5`,
 * `--rounds 400`, `--only` (first, disk, typing, drag, input, memory, work, pull).
 */
import { type BrowserContext, chromium } from '@playwright/test'
import config from '../../playwright.config.ts'
import { createPerson, openAs } from '../harness/browser.ts'
import { fillLargeBrand } from '../harness/large-brand.ts'
import { startTestServer } from '../harness/server.ts'
import { measureFirstPaint, measurePaintFromDisk, measureTyping } from './screens-first-look.ts'
import { measureFirstPull } from './screens-first-pull.ts'
import { measureDrag, measureInput, measureMemory } from './screens-touch.ts'
import { simulateHourOfWork } from './screens-work.ts'

const runCount = Number(option('--runs') ?? 5)
const rounds = Number(option('--rounds') ?? 400)
const onlyParts = option('--only')?.split(',')

const server = await startTestServer({ webRoot: process.env.BANYAN_WEB_ROOT ?? 'dist/web' })
const person = await createPerson(server, { brand: 'Large' })
if (server.database === null) throw new Error('The server must run in this process.')
await fillLargeBrand(server.database.owner, person.brandId, { deals: 10_000, contacts: 50_000, companies: 5000 })

const browser = await chromium.launch(config.use?.launchOptions)
try {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
  })
  // Chromium ends with its last page, so one stays open.
  await context.newPage()
  const page = await context.newPage()
  await openAs(page, person, '/crm/deals')
  await page.waitForTimeout(1000)
  await page.close()

  const card = '[data-deal]'
  const tableCell = '[role=row] [role=cell]'
  const contactsTyping = { path: '/crm/contacts', row: tableCell, label: 'Search contacts...', text: 'person 4999' }
  if (isSelected('first')) {
    await measure('Board, nothing on the device', () => measureFirstPaint(context, '/crm/deals', card))
    await measure('Contacts, nothing on the device', () => measureFirstPaint(context, '/crm/contacts', tableCell))
  }
  await warmUp(context, '/crm/deals', card)
  if (isSelected('disk')) {
    await measure('Board from the device', () => measurePaintFromDisk(context, '/crm/deals', card))
    await measure('Contacts from the device', () => measurePaintFromDisk(context, '/crm/contacts', tableCell))
    // The pages measured above are closed after 3 s, before they store the snapshot with which the page of the tasks starts.
    await warmUp(context, '/crm/contacts', tableCell)
    await measure('Tasks from the device', () => measurePaintFromDisk(context, '/crm/tasks', 'main h1'))
  }
  if (isSelected('typing')) {
    await measure('Typing on the board', () =>
      measureTyping(context, { path: '/crm/deals', row: card, label: 'Search deals…', text: 'Deal 77' }),
    )
    await measure('Typing in contacts', () => measureTyping(context, contactsTyping))
  }
  if (isSelected('drag')) await measure('A card dragged over the board', () => measureDrag(context))
  if (isSelected('input')) await measure('From input to paint', () => measureInput(context))
  if (isSelected('memory')) await measure('Memory of the tab', () => measureMemory(context))
  if (isSelected('work')) await simulateHourOfWork(context, person, rounds)
  if (isSelected('pull')) await measure('A first pull of 50,000 rows', await firstPullMeasurement())
} finally {
  await browser.close()
  await server.stop()
}
// The official client of the person would keep the process running.
process.exit(0)

/** Creates a brand with complete tables and opens it in a separate browser context. Returns the function that measures one run. */
async function firstPullMeasurement(): Promise<() => Promise<Record<string, number>>> {
  const rows = { deals: 20_000, tasks: 10_000, contacts: 10_000, companies: 10_000 }
  const member = await createPerson(server, { brand: 'Whole' })
  if (server.database === null) throw new Error('The server must run in this process.')
  await fillLargeBrand(server.database.owner, member.brandId, rows)
  const memberContext = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
  })
  const firstPage = await memberContext.newPage()
  await openAs(firstPage, member, '/crm/deals')
  // An open page would block the deletion of the local database.
  await firstPage.close()
  return () =>
    measureFirstPull(
      memberContext,
      Object.values(rows).reduce((sum, count) => sum + count, 0),
    )
}

async function measure(title: string, run: () => Promise<Record<string, number>>) {
  const results: Record<string, number>[] = []
  for (let i = 0; i < runCount; i++) results.push(await run())
  const medianTexts = Object.keys(results[0] ?? {}).map((name) => {
    const values = results.map((result) => result[name] ?? Number.NaN).sort((a, b) => a - b)
    return `${name} ${Math.round(values[runCount >> 1] ?? Number.NaN)} (${values.map(Math.round).join(' ')})`
  })
  console.log(`${title}, median of ${runCount}: ${medianTexts.join('; ')}`)
}

/** Loads a page and waits 15 s, after which its rows are stored on the device. */
async function warmUp(context: BrowserContext, path: string, row: string) {
  const page = await context.newPage()
  await page.goto(path)
  await page.locator(row).first().waitFor()
  await page.waitForTimeout(15_000)
  await page.close()
}

function isSelected(part: string): boolean {
  return !onlyParts || onlyParts.includes(part)
}

function option(name: string): string | undefined {
  const index = process.argv.indexOf(name)
  return index < 0 ? undefined : process.argv[index + 1]
}
