import { boardView } from '#web/data/board-view.ts'
import { storeFirstLook } from '#web/data/store-first-look.ts'
import { localDatabase } from '#web/data/store/local-db.ts'
import { wipeBrand } from '#web/data/store/wipe-brand.ts'
import { expect, test, vi } from 'vitest'
import { dataOf, goOffline, stageOf, stagesOf, untilSent, waitOptions } from '../harness/acme.ts'
import { acme, inDatabase, setUpAcme } from '../harness/acme-scene.ts'
import type { Tab } from '../harness/fake-browser.ts'
import { readStored } from '../harness/stored.ts'

setUpAcme()

type Data = ReturnType<typeof dataOf>

async function storedLook(tab: Tab) {
  return (await localDatabase(tab.device, acme.userId).getLook(acme.brandId)) ?? expect.fail('nothing was counted')
}

/** Creates 25 deals in the first stage and 3 in the second, in two currencies, and stores a snapshot of the first screen. */
async function storeDealsAndLook(): Promise<void> {
  const { tab, brandId } = acme
  const [first, second] = stagesOf(tab)
  await inDatabase(
    `insert into public.deals (brand_id, name, amount, amount_currency, stage_id)
     select $1, 'Deal ' || n, n + 0.1, case n % 3 when 0 then 'EUR' else 'GBP' end, case when n <= 25 then $2 else $3 end::uuid
     from generate_series(1, 28) n`,
    brandId,
    first?.id,
    second?.id,
  )
  await tab.requestPull(tab.device)
  await vi.waitFor(() => expect(dataOf(tab).tables.deals.size).toBe(28), waitOptions)
  storeFirstLook(dataOf(tab))
  await untilLookStored(tab)
}

async function untilLookStored(tab: Tab): Promise<void> {
  await vi.waitFor(async () => expect((await storedLook(tab)).look).toBeDefined(), waitOptions)
}

/** Returns the board's content: names of the loaded cards, counts, totals. */
function boardContent(data: Data) {
  const { ready, columns, pipeline } = boardView(data, {}).read()
  const shownColumns = columns.map(({ stage, count, totals, at }) => {
    const cards = Array.from({ length: count }, (_, place) => at(place)?.deal.name)
    return { stage: stage.name, count, totals, cards: cards.slice(0, 20), others: cards.slice(20) }
  })
  return { ready, pipeline, columns: shownColumns }
}

/** Opens another tab offline, and calls `during` whenever the tab shows a snapshot. Resolves when all rows have been read. */
async function nextTab(during: (data: Data, tab: Tab) => void): Promise<{ tab: Tab; data: Data; lookCount: number }> {
  goOffline(acme)
  const tab = await acme.browser.openTab()
  let lookCount = 0
  const watchBrand = () => {
    const data = tab.openBrand(tab.device).get()
    data?.firstLook.subscribe(() => {
      if (!data.firstLook.get()) return
      lookCount += 1
      during(data, tab)
    })
  }
  tab.openBrand(tab.device).subscribe(watchBrand)
  watchBrand()
  await vi.waitFor(() => expect(tab.openBrand(tab.device).get()?.loaded.get()).toBe(true), waitOptions)
  return { tab, data: dataOf(tab), lookCount }
}

/** Simulates that the network is back. Resolves when the waiting change was sent. */
async function sendOnline(tab: Tab): Promise<void> {
  acme.browser.network.offline = false
  tab.reachable(tab.device).set(true)
  await tab.sendWaiting(tab.device)
  await untilSent(tab)
}

test('the board shows the first cards and the exact figures before all rows are read, and the same figures with all cards afterwards', async () => {
  await storeDealsAndLook()
  let before: ReturnType<typeof boardContent> | undefined
  const { data, lookCount } = await nextTab((each) => {
    expect(each.loaded.get()).toBe(false)
    before = boardContent(each)
  })
  expect(lookCount).toBe(1)
  const after = boardContent(data)
  expect(after.columns.map(({ count }) => count)).toEqual([25, 3, 0, 0, 0, 0])
  expect(after.columns[0]?.others).not.toContain(undefined)
  expect(before?.columns[0]?.others).toEqual([undefined, undefined, undefined, undefined, undefined])
  const firstScreen = ({ columns, ...rest }: ReturnType<typeof boardContent>) => ({
    ...rest,
    columns: columns.map(({ stage, count, totals, cards }) => ({ stage, count, totals, cards })),
  })
  expect(before && firstScreen(before)).toEqual(firstScreen(after))
  expect(data.firstLook.get()).toBeNull()
})

test('a tab stores a snapshot of the first screen whatever page it shows, some seconds after the last change', async () => {
  const { tab, brandId } = acme
  await inDatabase(
    `insert into public.deals (brand_id, name, stage_id) values ($1, 'Roof', $2)`,
    brandId,
    stagesOf(tab)[0]?.id,
  )
  await tab.requestPull(tab.device)
  await vi.waitFor(async () => expect((await storedLook(tab)).look?.rows.deals).toMatchObject([{ name: 'Roof' }]), {
    ...waitOptions,
    timeout: 15_000,
  })
})

test('after a write of rows, the next snapshot of the first screen contains the write', async () => {
  await storeDealsAndLook()
  const { tab } = acme
  const { writes } = await storedLook(tab)
  const [deal] = [...dataOf(tab).tables.deals.values()]
  await tab.moveDeal(tab.device, deal?.id ?? '', stageOf(tab, 'Won').id)
  await vi.waitFor(async () => expect((await storedLook(tab)).writes).toBeGreaterThan(writes), waitOptions)
  await untilLookStored(tab)
  const counts = Object.values((await storedLook(tab)).look?.lists ?? {}).map(({ total }) => total)
  expect(counts.reduce((sum, count) => sum + count)).toBe(28)
  expect(Math.min(...counts.filter(Boolean))).toBe(1)
})

test('no snapshot of the first screen is shown while a change waits to be sent; a change that is made while a snapshot is shown counts in its figures', async () => {
  await storeDealsAndLook()
  let contentAfterMove: ReturnType<typeof boardContent> | undefined
  const { data, tab, lookCount } = await nextTab((each, next) => {
    const column = boardView(each, {}).read().columns[0]
    void next.moveDeal(next.device, column?.at(3)?.deal.id ?? '', stageOf(next, 'Won').id)
    contentAfterMove = boardContent(each)
    // The snapshot does not contain the deal that is written next, so the tab stops using the snapshot.
    const unknownDealId = crypto.randomUUID()
    each.tables.deals.write([{ ...(column?.at(0)?.deal ?? expect.fail('no card')), id: unknownDealId }])
    expect(each.firstLook.get()).toBeNull()
    expect(boardContent(each).ready).toBe(false)
    each.tables.deals.write([], [unknownDealId])
  })
  expect(lookCount).toBe(1)
  expect(contentAfterMove?.columns.map(({ count }) => count)).toEqual([24, 3, 0, 0, 1, 0])
  expect(contentAfterMove?.columns.map(({ totals }) => totals)).toEqual(
    boardContent(data).columns.map(({ totals }) => totals),
  )
  const waitingTab = await nextTab(() => {})
  expect(waitingTab.lookCount).toBe(0)
  expect(boardContent(waitingTab.data).columns.map(({ count }) => count)).toEqual([24, 3, 0, 0, 1, 0])
  await sendOnline(tab)
})

test('a tab that has missed a write of another tab stores no snapshot', async () => {
  await storeDealsAndLook()
  const { tab, userId, brandId } = acme
  const [deal] = [...dataOf(tab).tables.deals.values()]
  if (!deal) throw new Error('no deal')
  // Simulates that another tab has written, and that its message was lost.
  await localDatabase(tab.device, userId).putNewer('deals', brandId, [deal], () => true)
  const knownWrites = dataOf(tab).writes.known.get()
  const { writes, look } = await storedLook(tab)
  expect(look).toBeUndefined()
  expect(writes).toBe((knownWrites ?? 0) + 1)
  const creation = await tab.quickCreateDeal(tab.device, stageOf(tab, 'Won'))
  expect(creation.status).toBe('saved')
  await vi.waitFor(async () => expect((await storedLook(tab)).writes).toBeGreaterThan(writes), waitOptions)
  await new Promise((resolve) => setTimeout(resolve, 4000))
  expect((await storedLook(tab)).look).toBeUndefined()
  // A tab that has read all writes stores a snapshot.
  const secondTab = await acme.browser.openTab()
  await vi.waitFor(() => expect(secondTab.openBrand(secondTab.device).get()?.loaded.get()).toBe(true), waitOptions)
  storeFirstLook(dataOf(secondTab))
  await untilLookStored(secondTab)
})

test('a write of rows to a full disk fails completely, without an unhandled rejection; the existing rows are shown, and none is lost', async () => {
  await storeDealsAndLook()
  const { tab, userId, brandId } = acme
  const before = await storedLook(tab)
  const unhandled: unknown[] = []
  const recordUnhandled = (error: unknown) => void unhandled.push(error)
  process.on('unhandledRejection', recordUnhandled)
  const putOnFullDisk = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('The disk is full.', 'QuotaExceededError')
  })
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const deals = [...dataOf(tab).tables.deals.values()]
  const database = localDatabase(tab.device, userId)
  await expect(database.putNewer('deals', brandId, deals, () => true)).rejects.toThrow('full')
  await expect(database.deleteRows('deals', brandId, [deals[0]?.id ?? ''])).rejects.toThrow('full')
  const { data } = await nextTab(() => {})
  expect(data.tables.deals.size).toBe(28)
  putOnFullDisk.mockRestore()
  warn.mockRestore()
  await new Promise((resolve) => setTimeout(resolve, 100))
  process.off('unhandledRejection', recordUnhandled)
  expect(unhandled).toEqual([])
  expect(await storedLook(tab)).toEqual(before)
  acme.browser.network.offline = false
})

test('a wiped brand leaves no snapshot behind, and none is stored later', async () => {
  await storeDealsAndLook()
  const { tab, userId, brandId } = acme
  expect(await readStored(acme.browser.indexedDB)).toContain('"withTask"')
  goOffline(acme)
  await wipeBrand(tab.device, userId, brandId)
  await new Promise((resolve) => setTimeout(resolve, 3500))
  const storedText = await readStored(acme.browser.indexedDB)
  expect(storedText).not.toContain('"withTask"')
  expect(storedText).not.toContain('"Deal 1"')
  acme.browser.network.offline = false
  tab.reachable(tab.device).set(true)
  await tab.requestPull(tab.device)
})
