import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Acme, goOnline, dataOf, goOffline, openOnNewDevice, waitOptions } from '../harness/acme.ts'
import { companyFigures } from '#web/data/company-figures.ts'
import { query } from '../harness/query.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { countOf, openWindowedBrand } from '../harness/windowed-brand.ts'

let server: TestServer
let acme: Acme

beforeAll(async () => {
  server = await startTestServer()
  ;({ acme } = await openWindowedBrand(server))
})
afterAll(async () => {
  acme.browser.close()
  await server.stop()
})

function inDatabase<Row = Record<string, unknown>>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return query<Row>(server, sql, ...values)
}

type Listed<Entry> = {
  ready: boolean
  searching: boolean
  total: number
  at: (index: number) => Entry | undefined
  want: (first: number) => void
}

/** Returns the total of a list and its entries at these positions, once they are loaded. */
async function entriesAt<Entry>(
  list: { read: () => Listed<Entry>; subscribe: (listener: () => void) => () => void },
  ...places: number[]
) {
  const stop = list.subscribe(() => {})
  const loadedEntries = () =>
    places.map((place) => {
      list.read().want(place)
      return list.read().at(place) ?? expect.fail(`nothing at ${place} yet`)
    })
  await vi.waitFor(() => expect(list.read()).toMatchObject({ ready: true, searching: false }), 5000)
  await vi.waitFor(() => loadedEntries(), 15_000)
  stop()
  return { total: list.read().total, entries: loadedEntries() }
}

const sqlRow = async (sql: string, place: number) =>
  (await inDatabase(`${sql} offset ${place} limit 1`, acme.brandId))[0]

test('the rows of a long filtered list are counted up to 1,000, and all of them once the end of the counted rows is viewed', async () => {
  const { tab } = acme
  const list = tab.companyList(dataOf(tab), tab.listKey('', { where: { domain: null } }))
  const stop = list.subscribe(() => {})
  await vi.waitFor(() => expect(list.read()).toMatchObject({ ready: true, total: 1000, hasMore: true }), 5000)
  list.read().want(0, 20)
  expect(list.read().hasMore).toBe(true)
  list.read().want(990, 999)
  const allCount = await countOf(
    server,
    'select id from companies where brand_id = $1 and domain is null',
    acme.brandId,
  )
  await vi.waitFor(() => expect(list.read()).toMatchObject({ total: allCount, hasMore: false }), 5000)
  expect(allCount).toBeGreaterThan(10_000)
  list.read().want(allCount - 1)
  await vi.waitFor(() => expect(list.read().at(allCount - 1)).toBeDefined(), 15_000)
  stop()
})

test('all rows of a list are counted if its end is viewed while the first page is still on its way', async () => {
  const { tab, browser } = acme
  const list = tab.companyList(dataOf(tab), tab.listKey('', { where: { website: null } }))
  const stop = list.subscribe(() => {})
  await vi.waitFor(() => expect(list.read()).toMatchObject({ ready: true, total: 1000, hasMore: true }), 5000)
  let respond: () => void = () => {}
  const responseHeld = new Promise<void>((resolve) => {
    respond = resolve
  })
  let requestCount = 0
  browser.network.judge = async (url): Promise<'pass'> => {
    if (url.endsWith('read_queries') && requestCount++ === 0) await responseHeld
    return 'pass'
  }
  dataOf(tab).invalidate('companies')
  await vi.waitFor(() => expect(requestCount).toBe(1))
  list.read().want(990, 999)
  respond()
  const allCount = await countOf(
    server,
    'select id from companies where brand_id = $1 and website is null',
    acme.brandId,
  )
  await vi.waitFor(() => expect(list.read()).toMatchObject({ total: allCount, hasMore: false }), 5000)
  browser.network.judge = () => 'pass'
  stop()
})

test('after an offline start a list shows that it has more rows than were counted', async () => {
  const { browser } = acme
  const onlineList = acme.tab.companyList(dataOf(acme.tab), acme.tab.listKey('', { where: { phone: null } }))
  const stopOnline = onlineList.subscribe(() => {})
  await vi.waitFor(
    () => expect(onlineList.read()).toMatchObject({ total: 1000, hasMore: true, searching: false }),
    5000,
  )
  stopOnline()
  goOffline(acme)
  const tab = await browser.openTab()
  await vi.waitFor(() => expect(tab.openBrand(tab.device).get()?.loaded.get()).toBe(true), waitOptions)
  const offlineList = tab.companyList(dataOf(tab), tab.listKey('', { where: { phone: null } }))
  const stop = offlineList.subscribe(() => {})
  await vi.waitFor(() => expect(offlineList.read()).toMatchObject({ ready: true, total: 1000, hasMore: true }), 5000)
  stop()
  await goOnline(acme)
})

for (const mineOnly of [false, true]) {
  const whose = mineOnly ? 'mine' : 'all'
  test(`the lists of companies (${whose}) newest first and by name, and of open tasks (${whose}) by due date, equal those of SQL to the last row`, async () => {
    const { tab, userId } = acme
    const data = dataOf(tab)
    for (const sort of ['newest', 'name'] as const) {
      const list = tab.companyList(data, tab.listKey('', { mine: mineOnly, sort }))
      const sql = `select name from companies where brand_id = $1 ${mineOnly ? `and owner_id = '${userId}'` : ''}
        order by ${sort === 'name' ? 'name' : 'created_at desc'}, id`
      const lastIndex = (await countOf(server, sql, acme.brandId)) - 1
      const { total, entries } = await entriesAt(list, 0, 150, lastIndex)
      expect(total).toBe(lastIndex + 1)
      expect(entries.map(({ company }) => ({ name: company.name }))).toEqual([
        await sqlRow(sql, 0),
        await sqlRow(sql, 150),
        await sqlRow(sql, lastIndex),
      ])
    }
    const openTaskList = tab.openTasks(data, tab.listKey('', { mine: mineOnly }))
    const sql = `select id from tasks where brand_id = $1 and status = 'open' ${mineOnly ? `and assignee_id = '${userId}'` : ''}
      order by due_at nulls last, id`
    const lastIndex = (await countOf(server, sql, acme.brandId)) - 1
    const { total, entries } = await entriesAt(openTaskList, 0, 250, lastIndex)
    expect(total).toBe(lastIndex + 1)
    expect(entries.map(({ task }) => ({ id: task.id }))).toEqual([
      await sqlRow(sql, 0),
      await sqlRow(sql, 250),
      await sqlRow(sql, lastIndex),
    ])
  })

  test(`the last ten completed tasks (${whose}) are those of SQL, also after a colleague has completed another`, async () => {
    const { tab, userId } = acme
    const completed = tab.completedTasks(dataOf(tab), tab.listKey('', { mine: mineOnly }))
    const stop = completed.subscribe(() => {})
    const expectTasksOfSql = async () => {
      const rows = await inDatabase<{ title: string }>(
        `select title from tasks where brand_id = $1 and status = 'done' ${mineOnly ? `and assignee_id = '${userId}'` : ''}
         order by completed_at desc, id limit 10`,
        acme.brandId,
      )
      const shownTitles = () => completed.read().entries.map(({ task }) => task.title)
      await vi.waitFor(() => expect(shownTitles()).toEqual(rows.map(({ title }) => title)), 5000)
    }
    await expectTasksOfSql()
    await inDatabase(
      `update tasks set status = 'done' where id = (select id from tasks where brand_id = $1 and status = 'open'
       and assignee_id = $2 order by due_at desc limit 1)`,
      acme.brandId,
      userId,
    )
    await tab.requestPull(tab.device)
    await expectTasksOfSql()
    stop()
  })
}

test('without a response a search finds rows of this device and says that the request failed; online again it queries the server', async () => {
  const { tab, browser } = acme
  const word = '0000'
  const listOfWord = () => tab.companyList(dataOf(tab), tab.listKey(word, {}))
  const onlineList = listOfWord()
  const stopOnline = onlineList.subscribe(() => {})
  await vi.waitFor(
    () => expect(onlineList.read()).toMatchObject({ ready: true, searching: false, hasFailed: false }),
    5000,
  )
  const { total } = onlineList.read()
  expect(total).toBeGreaterThan(5)
  stopOnline()
  browser.network.offline = true
  tab.reachable(tab.device).set(false)
  const localHits = [...dataOf(tab).tables.companies.values()].filter(({ name }) => name.includes('000'))
  const offlineList = tab.companyList(dataOf(tab), tab.listKey('000', {}))
  const stop = offlineList.subscribe(() => {})
  const expectedState = { ready: true, searching: false, hasFailed: true, total: localHits.length }
  await vi.waitFor(() => expect(offlineList.read()).toMatchObject(expectedState), 5000)
  expect(localHits.length).toBeGreaterThanOrEqual(total)
  browser.network.offline = false
  tab.reachable(tab.device).set(true)
  await vi.waitFor(() => expect(offlineList.read()).toMatchObject({ hasFailed: false, searching: false }), 5000)
  expect(offlineList.read().total).toBeGreaterThan(localHits.length)
  stop()
})

test('a company that is not on this device is found by its name on the server', async () => {
  // The lists of other tests have already fetched rows.
  acme = await openOnNewDevice(server, acme)
  const { tab } = acme
  const [oldestCompany] = await inDatabase<{ id: string; name: string }>(
    'select id, name from companies where brand_id = $1 order by created_at limit 1',
    acme.brandId,
  )
  expect(dataOf(tab).tables.companies.get(oldestCompany?.id ?? '')).toBeUndefined()
  expect(await tab.findKnownCompany(tab.device, ` ${oldestCompany?.name.toUpperCase()}`)).toMatchObject({
    id: oldestCompany?.id,
  })
  expect(await tab.findKnownCompany(tab.device, 'Company 0')).toBeUndefined()
})

test('the figures on company cards equal those of SQL; they are requested together, again when a colleague adds a deal, and again after a response that the server is busy', async () => {
  const data = dataOf(acme.tab)
  const ids = (
    await inDatabase<{ id: string }>(
      'select id from companies where brand_id = $1 order by name limit 40',
      acme.brandId,
    )
  ).map(({ id }) => id)
  await inDatabase(
    `update deals set company_id = (array[${ids.map((id) => `'${id}'`).join()}]::uuid[])[1 + abs(hashtext(id::text)) % 20]
     where brand_id = $1 and id in (select id from deals where brand_id = $1 order by created_at desc limit 200)`,
    acme.brandId,
  )
  const invalidations = { count: 0 }
  const stopCounting = data.onInvalidate(() => (invalidations.count += 1))
  const fetchSpy = vi.spyOn(globalThis, 'fetch')
  const views = ids.map((id) => companyFigures(data, id))
  const stops = views.map((view) => view.subscribe(() => {}))
  const figuresInSql = async () => {
    const rows = await inDatabase<{ id: string; deals: number; open: string[] }>(
      `select c.id, count(d.id)::int as deals,
         coalesce(array_agg(distinct d.amount_currency) filter (where s.kind = 'open'), '{}') as open
       from companies c left join deals d on d.brand_id = c.brand_id and d.company_id = c.id
       left join deal_stages s on s.brand_id = d.brand_id and s.id = d.stage_id where c.id = any ($1) group by c.id`,
      ids,
    )
    return new Map(rows.map(({ id, deals, open }) => [id, { deals, open: open.sort() }]))
  }
  const expectFiguresOfSql = async () => {
    const expectedFigures = await figuresInSql()
    await vi.waitFor(
      () =>
        views.forEach((view, index) => {
          const shownFigures = view.read()
          const openCurrencies = shownFigures?.open.map(({ currency }) => currency).sort()
          expect({ deals: shownFigures?.deals, open: openCurrencies }).toEqual(expectedFigures.get(ids[index] ?? ''))
        }),
      10_000,
    )
  }
  await expectFiguresOfSql()
  // One request for all cards, and at most one more after each change on the server.
  const requests = fetchSpy.mock.calls.filter(([to]) => JSON.stringify(to).includes('company_figures'))
  const requestedIds = requests.map(([, init]) => JSON.parse(init?.body as string).p_company_ids.toSorted())
  expect(requestedIds).toEqual(requests.map(() => ids.toSorted()))
  expect(requests.length).toBeGreaterThan(0)
  expect(requests.length).toBeLessThanOrEqual(1 + invalidations.count)
  stopCounting()
  const insertDealOfColleague = `insert into deals (brand_id, name, amount, stage_id, company_id)
    select $1, 'By a colleague', 5, id, $2 from deal_stages where brand_id = $1 order by position limit 1`
  await inDatabase(insertDealOfColleague, acme.brandId, ids[0] ?? '')
  await expectFiguresOfSql()
  for (const stop of stops) stop()
  // A busy server is queried again after the pause that it asked for.
  const isFiguresRequest = (to: unknown) =>
    JSON.stringify(to instanceof Request ? to.url : to).includes('company_figures')
  fetchSpy.mockRestore()
  const realFetch = globalThis.fetch
  const unknownCompany = companyFigures(data, crypto.randomUUID())
  let busyResponses = 0
  const busySpy = vi.spyOn(globalThis, 'fetch').mockImplementation((to, init) => {
    if (!isFiguresRequest(to) || busyResponses > 0) return realFetch(to, init)
    busyResponses += 1
    return Promise.resolve(new Response('{"message":"busy"}', { status: 503, headers: { 'Retry-After': '1' } }))
  })
  const stopUnknown = unknownCompany.subscribe(() => {})
  await vi.waitFor(() => expect(unknownCompany.read()).toEqual({ contacts: 0, deals: 0, open: [] }), 10_000)
  expect(busyResponses).toBe(1)
  stopUnknown()
  busySpy.mockRestore()
})

test('all matching companies get an owner, and an undo restores the previous owners, also of companies that are not on this device', async () => {
  acme = await openOnNewDevice(server, acme)
  const { tab } = acme
  const search = 'Company 0001'
  const owners = () =>
    inDatabase<{ id: string; owner_id: string | null }>(
      'select id, owner_id from companies where brand_id = $1 and name like $2 order by id',
      acme.brandId,
      `${search}%`,
    )
  const before = await owners()
  const knownCount = before.filter(({ id }) => dataOf(tab).tables.companies.get(id)).length
  expect(knownCount).toBeLessThan(before.length)
  const result = await tab.changeMatching(
    tab.device,
    { table: 'companies', search, mine: false },
    { owner_id: acme.userId },
    { signal: new AbortController().signal, onProgress: () => {} },
  )
  const ownersAfter = await owners()
  expect(ownersAfter.every(({ owner_id }) => owner_id === acme.userId)).toBe(true)
  tab.recordMatchingChange(tab.device, 'companies', result)
  const undone = tab.undoStep(tab.device)
  expect(undone).toMatchObject({ words: `${result.ids.length} companies given to you`, skipped: [] })
  await undone?.outcome
  expect(await owners()).toEqual(before)
  await tab.redoStep(tab.device)?.outcome
  expect(await owners()).toEqual(ownersAfter)
  expect(tab.queue(tab.device).get().operations).toEqual([])
})
