import { expect, test, vi } from 'vitest'
import { openBrand } from '#web/data/store/brand-data.ts'
import { localDatabase } from '#web/data/store/local-db.ts'
import { dataOf, untilPulled, waitOptions } from '../harness/acme.ts'
import { acme, inDatabase, setUpAcme, server } from '../harness/acme-scene.ts'
import { fakeBrowser, type FakeNetwork, type Tab } from '../harness/fake-browser.ts'

setUpAcme()

/** More deals than two pages hold. */
const dealCount = 2300

async function fillDeals(): Promise<void> {
  await inDatabase(
    `insert into public.deals (brand_id, name, stage_id)
     select $1, 'Deal ' || n, (select s.id from public.deal_stages s where s.brand_id = $1 order by s.position limit 1)
     from generate_series(1, $2::int) n`,
    acme.brandId,
    dealCount,
  )
}

/** Signs Ana in on a new device, which replaces the one of `acme`. The brand is not open yet. */
async function newDevice(): Promise<{ tab: Tab; network: FakeNetwork }> {
  acme.browser.close()
  const browser = fakeBrowser(server)
  const tab = await browser.openTab()
  expect(await tab.signIn(tab.device, acme.email, 'correct horse')).toMatchObject({ ok: true })
  Object.assign(acme, { browser, tab })
  return { tab, network: browser.network }
}

/** Returns a function that numbers the requests of a first pull for a page of deals, from 1. The function returns 0 for other requests. */
function dealPageCounter(): (url: string, init: RequestInit) => number {
  let pageCount = 0
  return (url, { body }) => {
    if (!url.endsWith('/rpc/pull') || typeof body !== 'string') return 0
    const args: { p_tables: string[]; p_cursor: string | null } = JSON.parse(body)
    if (args.p_tables.includes('brands') || args.p_cursor === 'now' || !args.p_tables.includes('deals')) return 0
    pageCount += 1
    return pageCount
  }
}

async function storedDealCount(tab: Tab): Promise<number> {
  const buckets = await localDatabase(tab.device, acme.userId).readBuckets('deals', acme.brandId, '', 1000)
  return buckets.reduce((sum, { rows }) => sum + rows.length, 0)
}

test('a first pull that fails midway shows and keeps the received rows, and the next pull fetches all', async () => {
  await fillDeals()
  const { tab, network } = await newDevice()
  const pageOf = dealPageCounter()
  network.judge = (url, init) => (pageOf(url, init) === 3 ? 'refuse' : 'pass')
  await tab.chooseBrand(tab.device, acme.brandId)
  await untilPulled(tab)
  const { tables, state } = dataOf(tab)
  expect(tables.deals.size).toBeGreaterThan(1000)
  expect(tables.deals.size).toBeLessThan(dealCount)
  expect(await storedDealCount(tab)).toBe(tables.deals.size)
  expect(state.get().tables.deals?.complete).toBe(false)
  network.judge = () => 'pass'
  tab.reachable(tab.device).set(true)
  await tab.requestPull(tab.device)
  expect(state.get().tables.deals?.complete).toBe(true)
  expect(tables.deals.size).toBe(dealCount)
  expect(await storedDealCount(tab)).toBe(dealCount)
})

test('a brand that is closed during its first pull receives no more rows, and does not count as complete', async () => {
  await fillDeals()
  const { tab, network } = await newDevice()
  const pageOf = dealPageCounter()
  let requestCount = 0
  network.judge = (url, init) => {
    const page = pageOf(url, init)
    requestCount = Math.max(requestCount, page)
    if (page === 2) openBrand(tab.device).get()?.close()
    return 'pass'
  }
  await tab.chooseBrand(tab.device, acme.brandId)
  await vi.waitFor(() => expect(requestCount).toBe(2), waitOptions)
  await vi.waitFor(() => expect(openBrand(tab.device).get()).toBeNull(), waitOptions)
  network.judge = (url, init) => {
    requestCount = Math.max(requestCount, pageOf(url, init))
    return 'pass'
  }
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(requestCount).toBe(2)
  expect((await localDatabase(tab.device, acme.userId).getState(acme.brandId))?.tables.deals?.complete).toBe(false)
})

test('an edit whose response comes during a first pull is not overwritten by a page that was requested before it', async () => {
  await fillDeals()
  const { tab, network } = await newDevice()
  const pageOf = dealPageCounter()
  let editedId = ''
  network.judge = async (url, init): Promise<'pass'> => {
    if (pageOf(url, init) !== 3) return 'pass'
    const [deal] = dataOf(tab).tables.deals.values()
    editedId = deal?.id ?? ''
    await tab.updateRecord(tab.device, 'deals', editedId, { name: 'Renamed meanwhile' })
    return 'pass'
  }
  await tab.chooseBrand(tab.device, acme.brandId)
  await untilPulled(tab)
  await vi.waitFor(() => expect(dataOf(tab).state.get().tables.deals?.complete).toBe(true), waitOptions)
  expect(dataOf(tab).tables.deals.serverRow(editedId)).toMatchObject({ name: 'Renamed meanwhile' })
  const [storedDeal] = await localDatabase(tab.device, acme.userId).getRows('deals', acme.brandId, [editedId])
  expect(storedDeal).toMatchObject({ name: 'Renamed meanwhile' })
})

test('a server of an earlier release sends the tables that it knows; the others are fetched once it knows them', async () => {
  await fillDeals()
  const { tab, network } = await newDevice()
  const knownTables = ['deal_stages', 'memberships', 'tasks', 'deals', 'companies', 'contacts', 'brands']
  network.judge = (url, { body }) => {
    if (!url.endsWith('/rpc/pull') || typeof body !== 'string') return 'pass'
    const { p_tables: tables }: { p_tables: string[] | null } = JSON.parse(body)
    if (tables?.every((table) => knownTables.includes(table))) return 'pass'
    const reply = tables
      ? { code: '22023', message: 'p_tables names a table that is not synchronised.' }
      : {
          epoch: '',
          cursor: '',
          full: false,
          complete: true,
          rows: {},
          tombstones: [],
          counts: Object.fromEntries(knownTables.map((table) => [table, 1])),
        }
    return new Response(JSON.stringify(reply), {
      status: tables ? 400 : 200,
      headers: { 'content-type': 'application/json' },
    })
  }
  await tab.chooseBrand(tab.device, acme.brandId)
  await untilPulled(tab)
  const { tables, state } = dataOf(tab)
  expect([tables.deals.size, tables.deal_stages.size, tables.pipelines.size]).toEqual([dealCount, 6, 0])
  expect(state.get().tables.deals?.complete).toBe(true)
  expect(state.get().tables.pipelines?.complete ?? false).toBe(false)

  // The server is updated, and the page is opened again.
  network.judge = () => 'pass'
  const reloadedTab = await acme.browser.openTab()
  Object.assign(acme, { tab: reloadedTab })
  await untilPulled(reloadedTab)
  await vi.waitFor(() => expect(dataOf(reloadedTab).state.get().tables.pipelines?.complete).toBe(true), waitOptions)
  expect(dataOf(reloadedTab).tables.pipelines.size).toBe(1)
})
