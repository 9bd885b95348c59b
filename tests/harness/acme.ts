import { expect, vi } from 'vitest'
import { type FakeBrowser, fakeBrowser, type Tab } from './fake-browser.ts'
import type { TestServer } from './server.ts'

/** Ana in her brand Acme: a fake browser with one tab, signed in, with the brand open and pulled. */
export interface Acme {
  browser: FakeBrowser
  tab: Tab
  email: string
  brandId: string
  userId: string
}

/** Options of `vi.waitFor` (ms). Its default timeout of one second is too short for a loaded machine. */
export const waitOptions = { timeout: 20_000, interval: 20 }

let personCount = 0

/** Signs up a new Ana and creates her brand. */
export async function openAcme(server: TestServer): Promise<Acme> {
  const browser = fakeBrowser(server)
  const tab = await browser.openTab()
  personCount += 1
  const email = `ana${personCount}-${Date.now()}@acme.test`
  expect(await tab.signUp(tab.device, email, 'correct horse')).toEqual({ ok: true, signedIn: true })
  const brand = await tab.createBrand(tab.device, `Acme ${personCount} ${Date.now()}`)
  if (brand.status !== 'saved') throw new Error('the brand was not created')
  await tab.chooseBrand(tab.device, brand.id)
  await untilPulled(tab)
  return { browser, tab, email, brandId: brand.id, userId: tab.sessionState(tab.device).get().session?.userId ?? '' }
}

/** Opens the same brand as the same person on a new device without local data. Closes the previous device. */
export async function openOnNewDevice(server: TestServer, acme: Acme): Promise<Acme> {
  acme.browser.close()
  const browser = fakeBrowser(server)
  const tab = await browser.openTab()
  expect(await tab.signIn(tab.device, acme.email, 'correct horse')).toMatchObject({ ok: true })
  await tab.chooseBrand(tab.device, acme.brandId)
  await untilPulled(tab)
  return { ...acme, browser, tab }
}

/** Returns the data of the brand that is open in a tab. Throws if none is open. */
export function dataOf(tab: Tab) {
  const data = tab.openBrand(tab.device).get()
  if (!data) throw new Error('no brand is open in this tab')
  return data
}

/** Returns the stages, ordered by position. */
export function stagesOf(tab: Tab) {
  return [...dataOf(tab).tables.deal_stages.values()].sort((a, b) => a.position - b.position)
}

/** Returns the stage with this name. Throws if there is none. */
export function stageOf(tab: Tab, name: string) {
  const stage = stagesOf(tab).find((candidate) => candidate.name === name)
  if (!stage) throw new Error(`no stage ${name}`)
  return stage
}

/** Waits until the first pull of the tab has finished. */
export async function untilPulled(tab: Tab): Promise<void> {
  await vi.waitFor(() => expect(tab.openBrand(tab.device).get()?.firstPullEnded.get()).toBe(true), waitOptions)
}

/** Waits until no operation in the outbox of the tab waits to be sent. Operations that need attention may remain. */
export async function untilSent(tab: Tab): Promise<void> {
  await vi.waitFor(
    () =>
      expect(
        tab
          .queue(tab.device)
          .get()
          .operations.filter(({ state }) => state === 'waiting'),
      ).toEqual([]),
    waitOptions,
  )
}

/** Creates a deal and waits until the server has it. Returns its id. Throws if the deal is refused. */
export async function makeDeal(tab: Tab, parts: Partial<Parameters<Tab['createDeal']>[1]> = {}): Promise<string> {
  const stage_id = stagesOf(tab)[0]?.id ?? ''
  const defaultParts = { amount: 100, expected_close_date: null, contact_id: null, company_id: null }
  const outcome = await tab.createDeal(tab.device, { name: 'Data migration', stage_id, ...defaultParts, ...parts })
  if (outcome.status === 'refused') throw new Error(`the deal was refused: ${outcome.message}`)
  // If the server is slow, the deal is first queued in the outbox.
  if (outcome.status === 'queued') await untilSent(tab)
  return outcome.id
}

/** Makes all requests fail from now on, and marks the server as unreachable in the tab. */
export function goOffline({ browser, tab }: Pick<Acme, 'browser' | 'tab'>): void {
  browser.network.offline = true
  tab.reachable(tab.device).set(false)
}

/** Makes all requests pass again: resets `offline` and `judge`. Marks the server as reachable in the tab. Sends the waiting operations. */
export async function goOnline({ browser, tab }: Pick<Acme, 'browser' | 'tab'>): Promise<void> {
  browser.network.offline = false
  browser.network.judge = () => 'pass'
  tab.reachable(tab.device).set(true)
  await tab.sendWaiting(tab.device)
}
