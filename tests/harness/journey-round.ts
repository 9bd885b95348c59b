import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { expect as expectPage, type Page } from '@playwright/test'
import { signInByScreen } from './browser.ts'
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts'
import {
  colleagueAddsBo,
  expectAppliedOnce,
  expectSameRows,
  type JourneyBrand,
  seedJourney,
  waitingOperations,
} from './journey-brand.ts'
import { journeySteps } from './journey-steps.ts'
import { type KillableBrowser, openKillableBrowser } from './killable-browser.ts'
import type { TestServer } from './server.ts'

/** The two moments at which a round (`journeyRound`) kills the browser. */
export interface KillPoints {
  /** Index of the step that the first kill interrupts. */
  step: number
  /** Time from the start of this step until the first kill (ms). */
  after: number
  /** The second kill happens when the browser is online again and sends its edits: the number (from 1) of the request that it interrupts. */
  request: number
  /**
   * Moment of the second kill: before this request reaches the server, after the server has applied it but before the response, or this many ms
   * after the request was sent.
   */
  at: 'before' | 'applied' | number
}

/**
 * Runs one round. Edits all kinds of records offline; kills the browser during one edit, and continues in a new browser. When the browser is online
 * again, some responses are lost, and the browser is killed while it sends. Then two tabs open the app again. Throws unless every stored edit is
 * applied exactly once and the browser's rows equal the server's.
 */
export async function journeyRound(server: TestServer, points: KillPoints): Promise<void> {
  const proxy = await startFaultyProxy(server)
  const profile = await mkdtemp(join(tmpdir(), 'banyan-profile-'))
  const brand = await seedJourney(server)
  let browser = await openKillableBrowser(profile)
  try {
    await signInAndGoOffline(await firstPage(browser), proxy, brand)
    await colleagueAddsBo(brand)
    const offlineResult = await runOfflineSteps(browser, profile, proxy, brand, points)
    browser = offlineResult.browser

    const killed = killWhileSending(browser, proxy, points)
    proxy.setDown(false)
    await browser.context.setOffline(false)
    await killed

    loseFirstResponses(proxy)
    browser = await openKillableBrowser(profile)
    const tabs = [await firstPage(browser), await browser.context.newPage()] as const
    await Promise.all([tabs[0].goto(`${proxy.url}/crm/deals`), tabs[1].goto(`${proxy.url}/crm/contacts`)])
    for (const tab of tabs) await expectPage(tab.getByText('All changes saved')).toBeVisible({ timeout: 90_000 })
    await expectAppliedOnce(server, brand, offlineResult.operationIds, offlineResult.undone)
    await expectSameRows(tabs[0], brand)
    await expectOnScreen(...tabs)
    for (const tab of tabs) expect(await waitingOperations(tab, brand)).toEqual([])
  } finally {
    await browser.kill()
    await proxy.stop()
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

async function firstPage({ context }: KillableBrowser): Promise<Page> {
  const page = context.pages()[0] ?? (await context.newPage())
  page.setDefaultTimeout(30_000)
  return page
}

async function signInAndGoOffline(page: Page, proxy: FaultyProxy, { person }: JourneyBrand): Promise<void> {
  await page.goto(`${proxy.url}/auth`)
  await signInByScreen(page, person.email, person.password)
  await page.waitForURL('**/crm/overview')
  await page.goto(`${proxy.url}/crm/tasks`)
  await expectPage(page.locator('main').getByRole('link', { name: 'Order cups' })).toBeVisible()
  await expectPage(page.getByText('All changes saved')).toBeVisible()
  const isAppCached = () =>
    page.evaluate(
      async () => navigator.serviceWorker.controller !== null && (await caches.match('/config.js')) !== undefined,
    )
  await expectPage.poll(isAppCached, { timeout: 30_000 }).toBe(true)
  await goOffline(page, proxy)
}

async function goOffline(page: Page, proxy: FaultyProxy): Promise<void> {
  proxy.setDown(true)
  await page.context().setOffline(true)
}

interface OfflineSteps {
  browser: KillableBrowser
  operationIds: string[]
  /** Names of the records that were deleted and restored. If the kill came between the two steps, the record stays deleted. */
  undone: Set<string>
}

/**
 * Runs all steps of the journey offline and kills the browser once. Expects the operations from before the kill to be stored after it, in the same
 * order, followed at most by the interrupted edit. Skips an undo that the kill interrupted or preceded, because its toast is gone.
 */
async function runOfflineSteps(
  firstBrowser: KillableBrowser,
  profile: string,
  proxy: FaultyProxy,
  brand: JourneyBrand,
  { step: killStep, after }: KillPoints,
): Promise<OfflineSteps> {
  let browser = firstBrowser
  let page = await firstPage(browser)
  const people = { colleague: brand.colleagueName }
  let keptIds: string[] = []
  const undone = new Set<string>()
  for (const [index, step] of journeySteps.entries()) {
    if (index === killStep) {
      const interruptedEdit = step.make(page, people).catch(() => 'cut short')
      await Promise.race([interruptedEdit, sleep(after)])
      await browser.kill()
      await interruptedEdit
      browser = await openKillableBrowser(profile)
      page = await firstPage(browser)
      await goOffline(page, proxy)
      await page.goto(`${proxy.url}/crm/tasks`)
      await expectPage(page.getByRole('button', { name: /^Offline/ })).toBeVisible()
      const storedIds = await waitingOperations(page, brand)
      expect(storedIds.slice(0, keptIds.length)).toEqual(keptIds)
      expect(storedIds.length - keptIds.length).toBeLessThanOrEqual(1)
      const isEditStored = storedIds.length > keptIds.length
      if (isEditStored || step.undoes) {
        if (isEditStored && step.undoes) undone.add(step.undoes)
        keptIds = storedIds
        continue
      }
    } else if (index === killStep + 1 && step.undoes) continue
    await step.make(page, people)
    await expectPage(page.getByRole('button', { name: `Offline, ${keptIds.length + 1} waiting` })).toBeVisible()
    await expect.poll(async () => (await waitingOperations(page, brand)).length).toBe(keptIds.length + 1)
    keptIds = await waitingOperations(page, brand)
    if (step.undoes) undone.add(step.undoes)
  }
  return { browser, operationIds: keptIds, undone }
}

/** Resolves when the browser has been killed at the given request. Some of the responses before that are lost. */
function killWhileSending(browser: KillableBrowser, proxy: FaultyProxy, { request, at }: KillPoints): Promise<void> {
  return new Promise((resolve, reject) => {
    const kill = (delay: number) =>
      void sleep(delay)
        .then(() => browser.kill())
        .then(resolve, reject)
    const seenKeys = new Set<string>()
    let editCount = 0
    proxy.judge = ({ key }) => {
      if (key === null) return 'pass'
      editCount += 1
      if (editCount > request) return 'refuse'
      if (editCount === request) {
        kill(typeof at === 'number' ? at : 0)
        return at === 'before' ? 'refuse' : at === 'applied' ? 'drop-answer' : 'pass'
      }
      return mustLoseResponse(seenKeys, key) ? 'drop-answer' : 'pass'
    }
  })
}

function loseFirstResponses(proxy: FaultyProxy): void {
  const seenKeys = new Set<string>()
  proxy.judge = ({ key }) => (key !== null && mustLoseResponse(seenKeys, key) ? 'drop-answer' : 'pass')
}

/**
 * True if the response to this request must be lost: it is the first response to the first edit, or to every third edit after it. `seenKeys`: the
 * keys of the edits so far; `key` is added.
 */
function mustLoseResponse(seenKeys: Set<string>, key: string): boolean {
  if (seenKeys.has(key)) return false
  seenKeys.add(key)
  return seenKeys.size % 3 === 1
}

async function expectOnScreen(board: Page, contacts: Page): Promise<void> {
  const qualified = board.getByRole('region', { name: 'Qualified' }).locator('[data-deal]')
  await expectPage(qualified).toHaveCount(2)
  const incoming = board.getByRole('region', { name: 'Incoming' }).locator('[data-deal]')
  await expectPage(incoming).toHaveText([/Copper pipes/])
  for (const name of ['Bo Lund', 'Ifor', 'Mei']) await expectPage(contacts.getByRole('link', { name })).toBeVisible()
  await expectPage(contacts.getByText('+44 20 7946 0611').filter({ visible: true }).first()).toBeVisible()
}
