import type { BrowserContext, Locator, Page } from '@playwright/test'
import { createBrand, type Person } from '../harness/browser.ts'
import type { TabMemory } from './page-meter.ts'
import { collectGarbage, processMegabytes } from './process-memory.ts'
import { openBoard } from './screens-touch.ts'

/** Index of the last memory measurement. Measurement 0 is at the start; 0 and 1 do not count: code is still compiled, and caches fill. */
const lastReading = 9
const panel = (page: Page) => page.getByRole('complementary', { name: 'Deal' })

/**
 * Simulates an hour of work in rounds: a search, a panel, an edit, a move with its undo, a list, and a colleague's changes; after every tenth round a
 * switch to another brand and back. Prints the memory of the tab and of the server meanwhile, and the slope of a line through the measurements.
 */
export async function simulateHourOfWork(context: BrowserContext, person: Person, rounds: number): Promise<void> {
  const largeBrand = { id: person.brandId, name: person.brandName }
  await createBrand(person, 'Small')
  const smallBrandName = person.brandName
  Object.assign(person, { brandId: largeBrand.id, brandName: largeBrand.name })
  const { page, meter } = await openBoard(context)
  const changeDealsAsColleague = await colleagueOf(person)
  const tabReadings: TabMemory[] = []
  const serverHeaps: number[] = []
  console.log(
    'Work: round, heap MB, objects in the heap MB, process MB, responses MB (kept by the debugger), DOM nodes, listeners; heap MB and process MB of the server with this bench',
  )
  for (let reading = 0; reading <= lastReading; reading++) {
    const end = Math.round((reading * rounds) / lastReading)
    for (let round = Math.round(((reading - 1) * rounds) / lastReading); round >= 0 && round < end; round++) {
      await workOneRound(page, round)
      await changeDealsAsColleague(round)
      if (round % 10 === 9) {
        await switchTo(page, smallBrandName)
        await switchTo(page, largeBrand.name)
        await page.locator('[data-deal]').first().waitFor()
      }
    }
    await page.waitForTimeout(3000)
    const tabMemory = await meter.memory()
    tabReadings.push(tabMemory)
    collectGarbage()
    const serverHeap = process.memoryUsage().heapUsed / 1e6
    serverHeaps.push(serverHeap)
    const { heap, objects, process: processMb, received, nodes, listeners } = tabMemory
    const line = `${heap.toFixed(1)}, ${objects.toFixed(2)}, ${processMb.toFixed(0)}, ${received.toFixed(0)}, ${nodes}, ${listeners}`
    const serverLine = `${serverHeap.toFixed(1)}, ${processMegabytes(process.pid).toFixed(0)}`
    console.log(`  ${Math.round((reading * rounds) / lastReading)}: ${line}; ${serverLine}`)
  }
  const countedReadings = tabReadings.slice(2)
  const growthIn100Rounds = (values: readonly number[]) => (slope(values) * lastReading * 100) / rounds
  const tabGrowthIn100Rounds = (read: (one: TabMemory) => number) => growthIn100Rounds(countedReadings.map(read))
  console.log(
    `  growth in 100 rounds: objects ${tabGrowthIn100Rounds(({ objects }) => objects).toFixed(2)} MB, heap with compiled code ${tabGrowthIn100Rounds(({ heap }) => heap).toFixed(2)} MB, process ${tabGrowthIn100Rounds((reading) => reading.process).toFixed(1)} MB, responses ${tabGrowthIn100Rounds(({ received }) => received).toFixed(1)} MB, ` +
      `${tabGrowthIn100Rounds(({ nodes }) => nodes).toFixed(0)} nodes, ${tabGrowthIn100Rounds(({ listeners }) => listeners).toFixed(1)} listeners; server ${growthIn100Rounds(serverHeaps.slice(2)).toFixed(2)} MB of heap`,
  )
  await page.close()
}

async function workOneRound(page: Page, round: number): Promise<void> {
  const search = page.getByPlaceholder('Search deals…')
  await search.fill(`Deal ${(round * 37) % 1000}`)
  await page.waitForTimeout(150)
  await search.fill('')
  await openPanel(page, page.locator('[data-deal]:visible').nth(round % 4))
  await panel(page)
    .getByRole('button', { name: /^Amount: / })
    .click()
  await panel(page)
    .getByRole('textbox', { name: 'Amount' })
    .fill(String(100 + round))
  await page.keyboard.press('Enter')
  // The first Escape may end only the edit.
  for (let key = 0; key < 5 && (await panel(page).count()) > 0; key++) {
    await page.keyboard.press('Escape')
    await page.waitForTimeout(100 * key)
  }
  await panel(page).waitFor({ state: 'detached' })
  await page.locator('[data-deal]:visible').nth(2).focus()
  await page.keyboard.press('Space')
  for (let step = 0; step < 12; step++) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await page.keyboard.press('Control+z')
  const noun = (['Contacts', 'Companies', 'Tasks', 'Overview'] as const)[round % 4] ?? 'Contacts'
  await page.getByRole('link', { name: noun, exact: true }).first().click()
  await page.waitForTimeout(100)
  await page.getByRole('link', { name: 'Deals', exact: true }).first().click()
  await page.locator('[data-deal]').first().waitFor()
}

/**
 * Clicks a card until its panel is open, at most five times. A click is lost if the columns move between its press and its release, as they do
 * after a search.
 */
async function openPanel(page: Page, card: Locator): Promise<void> {
  const heading = panel(page).getByRole('heading', { level: 2 })
  for (let attempt = 0; attempt < 5 && !(await heading.isVisible()); attempt++) {
    await card.click({ position: { x: 30, y: 12 } })
    await heading.waitFor({ timeout: 3000 }).catch(() => undefined)
  }
  await heading.waitFor()
}

async function switchTo(page: Page, brand: string): Promise<void> {
  await page.getByTitle('Switch Brand').first().click()
  const card = page.getByRole('listitem').filter({ hasText: brand })
  await card.getByRole('button', { name: 'Open Dashboard' }).click()
  await page.waitForURL(/\/crm\//)
  await page.getByRole('link', { name: 'Deals', exact: true }).first().click()
  await page.locator('[data-stage]').first().waitFor()
}

/** Returns a function that changes three deals through the API: for the page, these are changes of a colleague. */
async function colleagueOf({ client, brandId }: Person): Promise<(round: number) => Promise<void>> {
  const { data, error } = await client.from('deals').select('id').eq('brand_id', brandId).limit(300)
  if (error) throw new Error(error.message)
  return async (round) => {
    for (let index = 0; index < 3; index++) {
      const { id } = data[(round * 3 + index) % data.length] ?? {}
      const change = { amount: 1000 + round + index }
      const { error: updateError } = await client.from('deals').update(change).eq('brand_id', brandId).eq('id', id)
      if (updateError) throw new Error(updateError.message)
    }
  }
}

/** Returns the average rise from one value to the next: the slope of the least-squares line. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const rise = values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0)
  return rise / values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0)
}
