import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Acme, dataOf, untilPulled, untilSent, waitOptions } from '../harness/acme.ts'
import { partConditions } from '#web/data/list-part.ts'
import { fakeBrowser } from '../harness/fake-browser.ts'
import { query } from '../harness/query.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { countOf, openWindowedBrand, windowedRows } from '../harness/windowed-brand.ts'

const { deals } = windowedRows
let server: TestServer
let acme: Acme
let contactId: string

beforeAll(async () => {
  server = await startTestServer()
  ;({ acme, contactId } = await openWindowedBrand(server))
})
afterAll(async () => {
  acme.browser.close()
  await server.stop()
})

function inDatabase<Row = Record<string, unknown>>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return query<Row>(server, sql, ...values)
}

/** Returns the totals by stage and currency according to SQL, such as 'Incoming GBP 123.4'. */
async function figuresInDatabase(where: string): Promise<string[]> {
  const rows = await inDatabase<{ line: string }>(
    `select s.name || ' ' || d.amount_currency || ' ' || sum(d.amount)::float8 as line
     from deals d join deal_stages s on s.brand_id = d.brand_id and s.id = d.stage_id
     where d.brand_id = $1 and ${where} group by s.name, d.amount_currency`,
    acme.brandId,
  )
  return rows.map(({ line }) => line).sort()
}

function figuresOf(board: ReturnType<Acme['tab']['boardView']>): string[] {
  return board
    .read()
    .columns.flatMap(({ stage, totals }) => totals.map(({ currency, amount }) => `${stage.name} ${currency} ${amount}`))
    .sort()
}

function bodyIncludes({ body }: RequestInit, text: string): boolean {
  return typeof body === 'string' && body.includes(text)
}

const isOwnedByUser = () => `d.owner_id = '${acme.userId}'`

test("the board with 'Mine' has the same totals by currency as SQL, and cards of the user far down", async () => {
  const { tab } = acme
  const board = tab.boardView(dataOf(tab), { owner: acme.userId })
  const stop = board.subscribe(() => {})
  const expectedFigures = await figuresInDatabase(isOwnedByUser())
  await vi.waitFor(() => expect(figuresOf(board)).toEqual(expectedFigures), 5000)
  const [column] = board.read().columns
  expect(column?.count).toBe(3350)
  const farCard = () => board.read().columns[0]?.at(3000)
  board.read().columns[0]?.want(3000)
  await vi.waitFor(() => expect(farCard()?.deal.owner_id).toBe(acme.userId), 5000)
  stop()
})

test("the board with 'No owner' has the same totals by currency as SQL, also with a search, and cards without an owner far down", async () => {
  const { tab } = acme
  const board = tab.boardView(dataOf(tab), { owner: null })
  const searchedBoard = tab.boardView(dataOf(tab), { search: '2009', owner: null })
  const stops = [board.subscribe(() => {}), searchedBoard.subscribe(() => {})]
  const expectedFigures = await figuresInDatabase('d.owner_id is null')
  const expectedFound = await figuresInDatabase("d.owner_id is null and d.name ilike '%2009%'")
  expect(expectedFigures.length).toBeGreaterThan(6)
  await vi.waitFor(() => expect(figuresOf(board)).toEqual(expectedFigures), 5000)
  await vi.waitFor(() => expect(figuresOf(searchedBoard)).toEqual(expectedFound), 5000)
  const farCard = () => board.read().columns[1]?.at(3000)
  board.read().columns[1]?.want(3000)
  await vi.waitFor(() => expect(farCard()?.deal.owner_id).toBeNull(), 5000)
  for (const end of stops) end()
})

test('the totals by currency of board and pipeline equal those of SQL', async () => {
  const { tab } = acme
  const fullBoard = tab.boardView(dataOf(tab), {})
  const stop = fullBoard.subscribe(() => {})
  const expectedFigures = await figuresInDatabase('true')
  expect(expectedFigures.length).toBeGreaterThan(12)
  await vi.waitFor(() => expect(figuresOf(fullBoard)).toEqual(expectedFigures), 5000)
  const pipeline = await inDatabase(
    `select d.amount_currency as currency, sum(d.amount)::float8 as amount
     from deals d join deal_stages s on s.brand_id = d.brand_id and s.id = d.stage_id
     where d.brand_id = $1 and s.kind = 'open' group by 1`,
    acme.brandId,
  )
  const byCurrency = (sums: readonly object[]) => sums.map((sum) => JSON.stringify(sum)).sort()
  expect(byCurrency(fullBoard.read().pipeline.map(({ currency, amount }) => ({ currency, amount })))).toEqual(
    byCurrency(pipeline),
  )
  stop()
})

test('the first cards of a search do not wait for the figures, which are marked as being counted until they come', async () => {
  const { tab, browser } = acme
  let respond: () => void = () => {}
  const figuresHeld = new Promise<void>((resolve) => {
    respond = resolve
  })
  const requests: string[] = []
  browser.network.judge = async (_, request): Promise<'pass'> => {
    const isFigure = bodyIncludes(request, '"rows":false')
    if (bodyIncludes(request, '"search":"deal 19"')) requests.push(isFigure ? 'figures' : 'cards')
    if (isFigure) await figuresHeld
    return 'pass'
  }
  const board = tab.boardView(dataOf(tab), { search: 'deal 19' })
  const stop = board.subscribe(() => {})
  const names = () => board.read().columns.map(({ at }) => at(0)?.deal.name ?? '')
  // This device has the newest deals. None of them is a hit.
  await vi.waitFor(() => expect(names().filter((name) => name.includes('19'))).toHaveLength(6), waitOptions)
  expect(board.read()).toMatchObject({ ready: true, isCounting: true })
  expect(board.read().columns.map(({ isCounting }) => isCounting)).toEqual(Array(6).fill(true))
  respond()
  const expectedFigures = await figuresInDatabase("d.name ilike '%deal%' and d.name like '%19%'")
  await vi.waitFor(() => expect(figuresOf(board)).toEqual(expectedFigures), waitOptions)
  expect(board.read()).toMatchObject({ ready: true, isCounting: false })
  expect(requests.sort()).toEqual(['cards', 'figures'])
  browser.network.judge = () => 'pass'
  stop()
  // All hits are on this device now, but the figures still have to come from the server.
  const repeatedBoard = tab.boardView(dataOf(tab), { search: '19 deal' })
  expect(repeatedBoard.read()).toMatchObject({ ready: true, isCounting: true })
  const stopAgain = repeatedBoard.subscribe(() => {})
  await vi.waitFor(() => expect(repeatedBoard.read()).toMatchObject({ isCounting: false }), waitOptions)
  expect(figuresOf(repeatedBoard)).toEqual(expectedFigures)
  stopAgain()
})

test('if the figures cannot be fetched, the loaded cards stay, and the board is ready without the figures', async () => {
  const { tab, browser } = acme
  browser.network.judge = (_, request) => (bodyIncludes(request, '"rows":false') ? 'refuse' : 'pass')
  const board = tab.boardView(dataOf(tab), { search: 'deal 18' })
  const stop = board.subscribe(() => {})
  await vi.waitFor(() => expect(board.read()).toMatchObject({ ready: true, isCounting: false }), waitOptions)
  browser.network.judge = () => 'pass'
  const expectedFigures = await figuresInDatabase("d.name ilike '%deal%' and d.name like '%18%'")
  await vi.waitFor(() => expect(figuresOf(board)).toEqual(expectedFigures), waitOptions)
  stop()
})

test('while a filtered board is queried again, it still shows its cards far down', async () => {
  const { tab } = acme
  const board = tab.boardView(dataOf(tab), { filter: { amount: { gt: 5 } } })
  const column = () => board.read().columns[0]
  const first = () => column()?.at(0)?.deal.name
  const farCard = () => column()?.at(100)
  const stop = board.subscribe(() => {})
  await vi.waitFor(() => expect(board.read()).toMatchObject({ ready: true, isCounting: false }), waitOptions)
  // The rows of this device are shown until the server has responded.
  await vi.waitFor(() => expect(farCard()).toBeUndefined(), waitOptions)
  column()?.want(90, 120)
  await vi.waitFor(() => expect(farCard()).toBeDefined(), waitOptions)
  const count = column()?.count ?? 0
  let missingCount = 0
  const stopLooking = board.subscribe(() => {
    if (!farCard()) missingCount += 1
  })
  await inDatabase(
    `insert into deals (brand_id, name, amount, stage_id) select $1, 'Of a colleague', 7, id from deal_stages where brand_id = $1 order by position limit 1`,
    acme.brandId,
  )
  await tab.requestPull(tab.device)
  await vi.waitFor(() => expect([first(), column()?.count]).toEqual(['Of a colleague', count + 1]), waitOptions)
  expect(missingCount).toBe(0)
  stopLooking()
  await inDatabase(`delete from deals where brand_id = $1 and name = 'Of a colleague'`, acme.brandId)
  await tab.requestPull(tab.device)
  await vi.waitFor(() => expect(column()?.count).toBe(count), waitOptions)
  stop()
})

test('the list of the deals that close next equals that of SQL', async () => {
  const { tab } = acme
  const closingNextView = tab.closingNext(dataOf(tab))
  const stop = closingNextView.subscribe(() => {})
  const rows = await inDatabase<{ name: string }>(
    `select d.name from deals d join deal_stages s on s.brand_id = d.brand_id and s.id = d.stage_id
     where d.brand_id = $1 and s.kind = 'open' and d.expected_close_date is not null order by d.expected_close_date limit 50`,
    acme.brandId,
  )
  await vi.waitFor(
    () => expect(closingNextView.read().cards.map(({ deal }) => deal.name)).toEqual(rows.map(({ name }) => name)),
    5000,
  )
  stop()
})

test('the figures of the board change at once after a delete, and equal those of SQL after the delete and after its undo', async () => {
  const { tab } = acme
  const board = tab.boardView(dataOf(tab), {})
  const stop = board.subscribe(() => {})
  const before = await figuresInDatabase('true')
  await vi.waitFor(() => expect(figuresOf(board)).toEqual(before), 5000)
  const ids = [0, 1, 2].map((index) => board.read().columns[0]?.at(index)?.deal.id ?? '')
  const deletion = tab.deleteRecords(tab.device, 'deals', ids)
  expect(board.read().columns[0]?.count).toBe(deals / 6 - 3)
  expect(figuresOf(board)).not.toEqual(before)
  expect((await deletion).status).toBe('saved')
  const afterDelete = await figuresInDatabase('true')
  await vi.waitFor(() => expect(figuresOf(board)).toEqual(afterDelete), 5000)
  expect((await tab.restoreRecords(tab.device, 'deals', ids)).status).toBe('saved')
  await untilSent(tab)
  await vi.waitFor(() => expect(figuresOf(board)).toEqual(before), 5000)
  await vi.waitFor(() => expect(board.read().columns[0]?.at(0)?.deal.id).toBe(ids[0]), 5000)
  stop()
})

test('a deal outside of the window is opened by its id, and records linked to a contact come from the server', async () => {
  const { tab } = acme
  const [lastDeal] = await inDatabase<{ id: string }>('select id from deals where name = $1', `Deal ${deals}`)
  const id = lastDeal?.id ?? ''
  expect(dataOf(tab).tables.deals.get(id)).toBeUndefined()
  const dealView = tab.recordView(dataOf(tab), 'deals', id)
  const stop = dealView.subscribe(() => {})
  expect(dealView.read()).toEqual({ ready: false, row: null, missing: false })
  await vi.waitFor(() => expect(dealView.read()).toMatchObject({ ready: true, row: { name: `Deal ${deals}` } }), 5000)
  stop()
  const linkedDeals = tab.dealsOfContact(dataOf(tab), contactId)
  const stopLinked = linkedDeals.subscribe(() => {})
  await vi.waitFor(() => expect(linkedDeals.read()).toMatchObject({ ready: true, total: 150 }), 5000)
  await vi.waitFor(() => expect(linkedDeals.read().entries.length).toBeGreaterThanOrEqual(100), 5000)
  stopLinked()
  const [further] = await inDatabase<{ contact_id: string }>(
    `with made as (insert into contacts (brand_id, first_name, email) values ($1, 'Kim', 'kim@acme.test') returning id)
     insert into deal_contacts (brand_id, deal_id, contact_id, role)
     select $1, d.id, made.id, 'pays' from deals d, made where d.name = $2 returning contact_id`,
    acme.brandId,
    `Deal ${deals - 1}`,
  )
  await tab.requestPull(tab.device)
  const parts = tab.furtherDealsOfContact(dataOf(tab), further?.contact_id ?? '')
  const stopParts = parts.subscribe(() => {})
  await vi.waitFor(() => expect(parts.read().entries).toMatchObject([{ role: 'pays' }]), 5000)
  expect(parts.read().entries[0]?.card.deal.name).toBe(`Deal ${deals - 1}`)
  stopParts()
  const linkCounts = tab.linkCountsView(dataOf(tab), 'contacts', contactId)
  const stopCounting = linkCounts.subscribe(() => {})
  await vi.waitFor(
    () => expect(linkCounts.read()).toEqual({ ready: true, links: [{ table: 'deals', count: 150 }] }),
    5000,
  )
  stopCounting()
})

test('a new device requests the first cards and figures of the board once', async () => {
  acme.browser.close()
  const browser = fakeBrowser(server)
  const tab = await browser.openTab()
  acme = { ...acme, browser, tab }
  expect(await tab.signIn(tab.device, acme.email, 'correct horse')).toMatchObject({ ok: true })
  await tab.chooseBrand(tab.device, acme.brandId)
  const requests: string[] = []
  let isReady = false
  const board = tab.boardView(dataOf(tab), {})
  browser.network.judge = (url) => {
    const functionName = /(board|read_queries)$/.exec(url)?.[0]
    if (functionName && !isReady) requests.push(functionName)
    return 'pass'
  }
  const stop = board.subscribe(() => {
    const { columns } = board.read()
    isReady ||= columns.length > 0 && columns.every(({ at, count }) => at(0) && count === deals / 6)
  })
  await vi.waitFor(() => expect(isReady).toBe(true), waitOptions)
  stop()
  expect(requests).toEqual(['board'])
  await untilPulled(tab)
})

test('while a search of the board waits for its response, no column shows a card of another stage', async () => {
  const { tab } = acme
  const fullBoard = tab.boardView(dataOf(tab), {})
  const stopAll = fullBoard.subscribe(() => {})
  await vi.waitFor(() => expect(fullBoard.read().columns[0]?.at(0)).toBeDefined(), waitOptions)
  // Deal n is in stage n % 6, so this deal is far down.
  const board = tab.boardView(dataOf(tab), { search: 'deal 20097' })
  const misplaced: string[] = []
  const observe = () => {
    for (const { stage, at } of board.read().columns)
      for (const card of [at(0), at(1)]) if (card && card.deal.stage_id !== stage.id) misplaced.push(card.deal.name)
    return board.read().columns.map(({ count }) => count)
  }
  const stop = board.subscribe(observe)
  observe()
  await vi.waitFor(() => expect(observe()).toEqual([0, 0, 0, 1, 0, 0]), waitOptions)
  stop()
  stopAll()
  expect(misplaced).toEqual([])
})

test('the figures of the overview, and the totals of the lists that they link to, equal those of SQL', async () => {
  const { tab } = acme
  const data = dataOf(tab)
  await inDatabase(
    `update tasks set due_at = now() - interval '1 day'
     where brand_id = $1 and id in (select id from tasks where brand_id = $1 and status = 'open' order by id limit 70)`,
    acme.brandId,
  )
  await inDatabase(
    `update deals set expected_close_date = date_trunc('month', now())::date + 14
     where brand_id = $1 and id in (select id from deals where brand_id = $1 order by id limit 60)`,
    acme.brandId,
  )
  const now = new Date()
  const board = tab.boardView(data, { where: partConditions('closing-this-month', now) })
  const overdueTasks = tab.openTasks(data, tab.listKey('', { where: partConditions('overdue', now) }))
  const newCompanies = tab.companyList(data, tab.listKey('', { where: partConditions('added-this-week', now) }))
  const dashboard = tab.dashboardView(data)
  const stops = [board, overdueTasks, newCompanies, dashboard].map((view) => view.subscribe(() => {}))
  const closing = await countOf(
    server,
    `select d.id from deals d join deal_stages s on s.brand_id = d.brand_id and s.id = d.stage_id
    where d.brand_id = $1 and s.kind = 'open' and date_trunc('month', d.expected_close_date) = date_trunc('month', now())`,
    acme.brandId,
  )
  const overdue = await countOf(
    server,
    `select id from tasks where brand_id = $1 and status = 'open' and due_at < now()`,
    acme.brandId,
  )
  const thisWeek = await countOf(
    server,
    `select id from companies where brand_id = $1 and created_at > now() - interval '7 days'`,
    acme.brandId,
  )
  expect(overdue).toBeGreaterThanOrEqual(70)
  expect(closing).toBeGreaterThan(20)
  await vi.waitFor(() => {
    expect(board.read().columns.map(({ stage }) => stage.kind)).toEqual(['open', 'open', 'open', 'open'])
    expect(board.read().columns.reduce((sum, { count }) => sum + count, 0)).toBe(closing)
    expect([overdueTasks.read().total, newCompanies.read().total]).toEqual([overdue, thisWeek])
    expect(dashboard.read().figures).toMatchObject({
      closeThisMonth: closing,
      overdue,
      companiesThisWeek: thisWeek,
    })
  }, 15_000)
  for (const stop of stops) stop()
})
