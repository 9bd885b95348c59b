import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Acme, dataOf, onNewDevice, openAcme, untilPulled, untilSent, waitOptions } from '../harness/acme.ts'
import { companyFigures } from '#web/data/company-figures.ts'
import { partConditions } from '#web/data/list-part.ts'
import { fakeBrowser } from '../harness/fake-browser.ts'
import { query } from '../harness/query.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

/**
 * A brand with more deals, tasks and companies than a device holds, opened on a new device. Every third record is Ana's; one contact has
 * 150 deals; of the tasks every second is done.
 */
const deals = 20_100
const tasks = 20_200
const companies = 10_200
let server: TestServer
let acme: Acme
let contact: string

beforeAll(async () => {
  server = await startTestServer()
  acme = await openAcme(server)
  const [zoe] = await inDatabase<{ id: string }>(
    `insert into contacts (brand_id, email) values ($1, 'zoe@acme.test') returning id`,
    acme.brandId,
  )
  contact = zoe?.id ?? ''
  // Without triggers it takes a second; the new device has pulled nothing before.
  await setTriggers('disable')
  await inDatabase(
    `insert into deals (brand_id, name, amount, amount_currency, stage_id, owner_id, contact_id, created_at, expected_close_date)
     select $1, 'Deal ' || n, case n % 5 when 0 then n else n + 0.1 end, (array['JPY', 'GBP', 'EUR', 'GBP', 'GBP'])[n % 5 + 1],
       (select s.id from deal_stages s where s.brand_id = $1 order by s.position offset n % 6 limit 1),
       case when n % 3 = 0 then $2::uuid end, case when n > $4 - 150 then $3::uuid end, now() - n * interval '1 second',
       case when n % 7 = 0 then current_date + 30000 - n end
     from generate_series(1, $4::int) n`,
    acme.brandId,
    acme.userId,
    contact,
    deals,
  )
  await inDatabase(
    `insert into tasks (brand_id, title, due_at, status, completed_at, assignee_id)
     select $1, 'Task ' || n, case when n % 5 > 0 then now() + (20000 - n) * interval '1 minute' end,
       case when n % 2 = 0 then 'open' else 'done' end, case when n % 2 = 1 then now() - (30000 - n) * interval '1 minute' end,
       case when n % 3 = 0 then $2::uuid end
     from generate_series(1, $3::int) n`,
    acme.brandId,
    acme.userId,
    tasks,
  )
  await inDatabase(
    `insert into companies (brand_id, name, owner_id, created_at)
     select $1, 'Company ' || lpad((n * 7919 % 10007)::text, 5, '0') || ' ' || n, case when n % 3 = 0 then $2::uuid end,
       now() - n * interval '1 second'
     from generate_series(1, $3::int) n`,
    acme.brandId,
    acme.userId,
    companies,
  )
  await setTriggers('enable')
  await inDatabase('select private.write_all_words(), private.count_all_figures()')
  acme = await onNewDevice(server, acme)
  const windowed = { mode: 'windowed', complete: false }
  await vi.waitFor(
    () =>
      expect(dataOf(acme.tab).state.get().tables).toMatchObject({
        deals: windowed,
        tasks: windowed,
        companies: windowed,
      }),
    10_000,
  )
})
afterAll(async () => {
  acme.browser.close()
  await server.stop()
})

async function setTriggers(verb: 'enable' | 'disable'): Promise<void> {
  for (const table of ['deals', 'tasks', 'companies']) await inDatabase(`alter table ${table} ${verb} trigger user`)
}

function inDatabase<Row = Record<string, unknown>>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return query<Row>(server, sql, ...values)
}

/** The stages according to SQL: 'Incoming GBP 670 123.4'. */
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

const mine = () => `d.owner_id = '${acme.userId}'`

test("the board with 'Mine' equals SQL: counts, totals by currency and cards, far down too", async () => {
  const { tab } = acme
  const board = tab.boardView(dataOf(tab), { owner: acme.userId })
  const stop = board.subscribe(() => {})
  const expected = await figuresInDatabase(mine())
  await vi.waitFor(() => expect(figuresOf(board)).toEqual(expected), 5000)
  const [column] = board.read().columns
  expect(column?.count).toBe(3350)
  const far = () => board.read().columns[0]?.at(3000)
  board.read().columns[0]?.want(3000)
  await vi.waitFor(() => expect(far()?.deal.owner_id).toBe(acme.userId), 5000)
  stop()
})

test("the board of 'No owner' equals SQL: counts, totals by currency and cards, found again by a search", async () => {
  const { tab } = acme
  const board = tab.boardView(dataOf(tab), { owner: null })
  const found = tab.boardView(dataOf(tab), { search: '2009', owner: null })
  const stops = [board.subscribe(() => {}), found.subscribe(() => {})]
  const expected = await figuresInDatabase('d.owner_id is null')
  const expectedFound = await figuresInDatabase("d.owner_id is null and d.name ilike '%2009%'")
  expect(expected.length).toBeGreaterThan(6)
  await vi.waitFor(() => expect(figuresOf(board)).toEqual(expected), 5000)
  await vi.waitFor(() => expect(figuresOf(found)).toEqual(expectedFound), 5000)
  const far = () => board.read().columns[1]?.at(3000)
  board.read().columns[1]?.want(3000)
  await vi.waitFor(() => expect(far()?.deal.owner_id).toBeNull(), 5000)
  for (const end of stops) end()
})

test('the totals by currency of board and pipeline equal SQL', async () => {
  const { tab } = acme
  const all = tab.boardView(dataOf(tab), {})
  const stop = all.subscribe(() => {})
  const expected = await figuresInDatabase('true')
  expect(expected.length).toBeGreaterThan(12)
  await vi.waitFor(() => expect(figuresOf(all)).toEqual(expected), 5000)
  const pipeline = await inDatabase(
    `select d.amount_currency as currency, sum(d.amount)::float8 as amount
     from deals d join deal_stages s on s.brand_id = d.brand_id and s.id = d.stage_id
     where d.brand_id = $1 and s.kind = 'open' group by 1`,
    acme.brandId,
  )
  const byCurrency = (sums: readonly object[]) => sums.map((sum) => JSON.stringify(sum)).sort()
  expect(byCurrency(all.read().pipeline.map(({ currency, amount }) => ({ currency, amount })))).toEqual(
    byCurrency(pipeline),
  )
  stop()
})

type Listed<Entry> = {
  ready: boolean
  searching: boolean
  total: number
  at: (index: number) => Entry | undefined
  want: (first: number) => void
}

/** The rows at these positions of a list, when they are loaded. */
async function at<Entry>(
  list: { read: () => Listed<Entry>; subscribe: (listener: () => void) => () => void },
  ...places: number[]
) {
  const stop = list.subscribe(() => {})
  const found = () =>
    places.map((place) => {
      list.read().want(place)
      return list.read().at(place) ?? expect.fail(`nothing at ${place} yet`)
    })
  await vi.waitFor(() => expect(list.read()).toMatchObject({ ready: true, searching: false }), 5000)
  await vi.waitFor(() => found(), 15_000)
  stop()
  return { total: list.read().total, entries: found() }
}

const countOf = async (sql: string) =>
  (await inDatabase<{ count: number }>(`select count(*)::int as count from (${sql}) as listed`, acme.brandId))[0]
    ?.count ?? 0
const sqlRow = async (sql: string, place: number) =>
  (await inDatabase(`${sql} offset ${place} limit 1`, acme.brandId))[0]

for (const mineOnly of [false, true]) {
  const whose = mineOnly ? 'mine' : 'all'
  test(`companies, ${whose}: newest first and by name, and open tasks by due date, equal SQL to the last row`, async () => {
    const { tab, userId } = acme
    const data = dataOf(tab)
    for (const sort of ['newest', 'name'] as const) {
      const list = tab.companyList(data, tab.listKey('', { mine: mineOnly, sort }))
      const sql = `select name from companies where brand_id = $1 ${mineOnly ? `and owner_id = '${userId}'` : ''}
        order by ${sort === 'name' ? 'name' : 'created_at desc'}, id`
      const last = (await countOf(sql)) - 1
      const { total, entries } = await at(list, 0, 150, last)
      expect(total).toBe(last + 1)
      expect(entries.map(({ company }) => ({ name: company.name }))).toEqual([
        await sqlRow(sql, 0),
        await sqlRow(sql, 150),
        await sqlRow(sql, last),
      ])
    }
    const open = tab.openTasks(data, tab.listKey('', { mine: mineOnly }))
    const sql = `select id from tasks where brand_id = $1 and status = 'open' ${mineOnly ? `and assignee_id = '${userId}'` : ''}
      order by due_at nulls last, id`
    const last = (await countOf(sql)) - 1
    const { total, entries } = await at(open, 0, 250, last)
    expect(total).toBe(last + 1)
    expect(entries.map(({ task }) => ({ id: task.id }))).toEqual([
      await sqlRow(sql, 0),
      await sqlRow(sql, 250),
      await sqlRow(sql, last),
    ])
  })

  test(`the ten tasks done last, ${whose}, equal SQL, also after a colleague has done another`, async () => {
    const { tab, userId } = acme
    const completed = tab.completedTasks(dataOf(tab), tab.listKey('', { mine: mineOnly }))
    const stop = completed.subscribe(() => {})
    const isSql = async () => {
      const rows = await inDatabase<{ title: string }>(
        `select title from tasks where brand_id = $1 and status = 'done' ${mineOnly ? `and assignee_id = '${userId}'` : ''}
         order by completed_at desc, id limit 10`,
        acme.brandId,
      )
      const shown = () => completed.read().entries.map(({ task }) => task.title)
      await vi.waitFor(() => expect(shown()).toEqual(rows.map(({ title }) => title)), 5000)
    }
    await isSql()
    await inDatabase(
      `update tasks set status = 'done' where id = (select id from tasks where brand_id = $1 and status = 'open'
       and assignee_id = $2 order by due_at desc limit 1)`,
      acme.brandId,
      userId,
    )
    await tab.requestPull(tab.device)
    await isSql()
    stop()
  })
}

test('the deals that close next equal SQL', async () => {
  const { tab } = acme
  const next = tab.closingNext(dataOf(tab))
  const stop = next.subscribe(() => {})
  const rows = await inDatabase<{ name: string }>(
    `select d.name from deals d join deal_stages s on s.brand_id = d.brand_id and s.id = d.stage_id
     where d.brand_id = $1 and s.kind = 'open' and d.expected_close_date is not null order by d.expected_close_date limit 50`,
    acme.brandId,
  )
  await vi.waitFor(
    () => expect(next.read().cards.map(({ deal }) => deal.name)).toEqual(rows.map(({ name }) => name)),
    5000,
  )
  stop()
})

test('delete and undo: the figures change at once and equal SQL in the end', async () => {
  const { tab } = acme
  const board = tab.boardView(dataOf(tab), {})
  const stop = board.subscribe(() => {})
  const before = await figuresInDatabase('true')
  await vi.waitFor(() => expect(figuresOf(board)).toEqual(before), 5000)
  const ids = [0, 1, 2].map((index) => board.read().columns[0]?.at(index)?.deal.id ?? '')
  const deleted = tab.deleteRecords(tab.device, 'deals', ids)
  expect(board.read().columns[0]?.count).toBe(deals / 6 - 3)
  expect(figuresOf(board)).not.toEqual(before)
  expect((await deleted).status).toBe('saved')
  const without = await figuresInDatabase('true')
  await vi.waitFor(() => expect(figuresOf(board)).toEqual(without), 5000)
  expect((await tab.restoreRecords(tab.device, 'deals', ids)).status).toBe('saved')
  await untilSent(tab)
  await vi.waitFor(() => expect(figuresOf(board)).toEqual(before), 5000)
  await vi.waitFor(() => expect(board.read().columns[0]?.at(0)?.deal.id).toBe(ids[0]), 5000)
  stop()
})

test('a deal outside the window is opened by its id, and records linked to a contact come from the server', async () => {
  const { tab } = acme
  const [last] = await inDatabase<{ id: string }>('select id from deals where name = $1', `Deal ${deals}`)
  const id = last?.id ?? ''
  expect(dataOf(tab).tables.deals.get(id)).toBeUndefined()
  const open = tab.recordView(dataOf(tab), 'deals', id)
  const stop = open.subscribe(() => {})
  expect(open.read()).toEqual({ ready: false, row: null, missing: false })
  await vi.waitFor(() => expect(open.read()).toMatchObject({ ready: true, row: { name: `Deal ${deals}` } }), 5000)
  stop()
  const linked = tab.dealsOfContact(dataOf(tab), contact)
  const stopLinked = linked.subscribe(() => {})
  await vi.waitFor(() => expect(linked.read()).toMatchObject({ ready: true, total: 150 }), 5000)
  await vi.waitFor(() => expect(linked.read().entries.length).toBeGreaterThanOrEqual(100), 5000)
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
  const unlinked = tab.linkCountsView(dataOf(tab), 'contacts', contact)
  const stopCounting = unlinked.subscribe(() => {})
  await vi.waitFor(
    () => expect(unlinked.read()).toEqual({ ready: true, links: [{ table: 'deals', count: 150 }] }),
    5000,
  )
  stopCounting()
})

test('without an answer a search finds rows of this device and says so; online again it asks the server', async () => {
  const { tab, browser } = acme
  const word = '0000'
  const listed = () => tab.companyList(dataOf(tab), tab.listKey(word, {}))
  const online = listed()
  const stopOnline = online.subscribe(() => {})
  await vi.waitFor(() => expect(online.read()).toMatchObject({ ready: true, searching: false, partial: false }), 5000)
  const { total } = online.read()
  expect(total).toBeGreaterThan(5)
  stopOnline()
  browser.network.offline = true
  tab.reachable(tab.device).set(false)
  const here = [...dataOf(tab).tables.companies.values()].filter(({ name }) => name.includes('000'))
  const offline = tab.companyList(dataOf(tab), tab.listKey('000', {}))
  const stop = offline.subscribe(() => {})
  const found = { ready: true, searching: false, partial: true, total: here.length }
  await vi.waitFor(() => expect(offline.read()).toMatchObject(found), 5000)
  expect(here.length).toBeGreaterThanOrEqual(total)
  browser.network.offline = false
  tab.reachable(tab.device).set(true)
  await vi.waitFor(() => expect(offline.read()).toMatchObject({ partial: false, searching: false }), 5000)
  expect(offline.read().total).toBeGreaterThan(here.length)
  stop()
})

test('a new device asks once for what the board shows first', async () => {
  acme.browser.close()
  const browser = fakeBrowser(server)
  const tab = await browser.openTab()
  acme = { ...acme, browser, tab }
  expect(await tab.signIn(tab.device, acme.email, 'correct horse')).toMatchObject({ ok: true })
  await tab.chooseBrand(tab.device, acme.brandId)
  const asked: string[] = []
  let isReady = false
  const board = tab.boardView(dataOf(tab), {})
  browser.network.judge = (url) => {
    const question = /(board|read_queries)$/.exec(url)?.[0]
    if (question && !isReady) asked.push(question)
    return 'pass'
  }
  const stop = board.subscribe(() => {
    const { columns } = board.read()
    isReady ||= columns.length > 0 && columns.every(({ at, count }) => at(0) && count === deals / 6)
  })
  await vi.waitFor(() => expect(isReady).toBe(true), waitOptions)
  stop()
  expect(asked).toEqual(['board'])
  await untilPulled(tab)
})

test('while a search of the board waits for its answer, no column shows the cards of another one', async () => {
  const { tab } = acme
  const all = tab.boardView(dataOf(tab), {})
  const stopAll = all.subscribe(() => {})
  await vi.waitFor(() => expect(all.read().columns[0]?.at(0)).toBeDefined(), waitOptions)
  // Deal n is in stage n % 6, and this one is far down.
  const board = tab.boardView(dataOf(tab), { search: 'deal 20097' })
  const misplaced: string[] = []
  const look = () => {
    for (const { stage, at } of board.read().columns)
      for (const card of [at(0), at(1)]) if (card && card.deal.stage_id !== stage.id) misplaced.push(card.deal.name)
    return board.read().columns.map(({ count }) => count)
  }
  const stop = board.subscribe(look)
  look()
  await vi.waitFor(() => expect(look()).toEqual([0, 0, 0, 1, 0, 0]), waitOptions)
  stop()
  stopAll()
  expect(misplaced).toEqual([])
})

test('the parts of lists that the overview counts equal SQL, and what it counts', async () => {
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
  const late = tab.openTasks(data, tab.listKey('', { where: partConditions('overdue', now) }))
  const added = tab.companyList(data, tab.listKey('', { where: partConditions('added-this-week', now) }))
  const dashboard = tab.dashboardView(data)
  const stops = [board, late, added, dashboard].map((view) => view.subscribe(() => {}))
  const closing =
    await countOf(`select d.id from deals d join deal_stages s on s.brand_id = d.brand_id and s.id = d.stage_id
    where d.brand_id = $1 and s.kind = 'open' and date_trunc('month', d.expected_close_date) = date_trunc('month', now())`)
  const overdue = await countOf(`select id from tasks where brand_id = $1 and status = 'open' and due_at < now()`)
  const thisWeek = await countOf(
    `select id from companies where brand_id = $1 and created_at > now() - interval '7 days'`,
  )
  expect(overdue).toBeGreaterThanOrEqual(70)
  expect(closing).toBeGreaterThan(20)
  await vi.waitFor(() => {
    expect(board.read().columns.map(({ stage }) => stage.kind)).toEqual(['open', 'open', 'open', 'open'])
    expect(board.read().columns.reduce((sum, { count }) => sum + count, 0)).toBe(closing)
    expect([late.read().total, added.read().total]).toEqual([overdue, thisWeek])
    expect(dashboard.read().figures).toMatchObject({
      closeThisMonth: closing,
      overdue,
      companiesThisWeek: thisWeek,
    })
  }, 15_000)
  for (const stop of stops) stop()
})

test('a company that is not on this device is found by its name on the server', async () => {
  const { tab } = acme
  const [far] = await inDatabase<{ id: string; name: string }>(
    'select id, name from companies where brand_id = $1 order by created_at limit 1',
    acme.brandId,
  )
  expect(dataOf(tab).tables.companies.get(far?.id ?? '')).toBeUndefined()
  expect(await tab.findKnownCompany(tab.device, ` ${far?.name.toUpperCase()}`)).toMatchObject({ id: far?.id })
  expect(await tab.findKnownCompany(tab.device, 'Company 0')).toBeUndefined()
})

test('the figures of companies on cards equal SQL, asked for together, and again when a colleague adds a deal', async () => {
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
  const asked = vi.spyOn(globalThis, 'fetch')
  const views = ids.map((id) => companyFigures(data, id))
  const stops = views.map((view) => view.subscribe(() => {}))
  const inSql = async () => {
    const rows = await inDatabase<{ id: string; deals: number; open: string[] }>(
      `select c.id, count(d.id)::int as deals,
         coalesce(array_agg(distinct d.amount_currency) filter (where s.kind = 'open'), '{}') as open
       from companies c left join deals d on d.brand_id = c.brand_id and d.company_id = c.id
       left join deal_stages s on s.brand_id = d.brand_id and s.id = d.stage_id where c.id = any ($1) group by c.id`,
      ids,
    )
    return new Map(rows.map(({ id, deals, open }) => [id, { deals, open: open.sort() }]))
  }
  const isSql = async () => {
    const expected = await inSql()
    await vi.waitFor(
      () =>
        views.forEach((view, index) => {
          const shown = view.read()
          const open = shown?.open.map(({ currency }) => currency).sort()
          expect({ deals: shown?.deals, open }).toEqual(expected.get(ids[index] ?? ''))
        }),
      10_000,
    )
  }
  await isSql()
  expect(asked.mock.calls.filter(([to]) => JSON.stringify(to).includes('company_figures'))).toHaveLength(1)
  const colleague = `insert into deals (brand_id, name, amount, stage_id, company_id)
    select $1, 'By a colleague', 5, id, $2 from deal_stages where brand_id = $1 order by position limit 1`
  await inDatabase(colleague, acme.brandId, ids[0] ?? '')
  await isSql()
  for (const stop of stops) stop()
  asked.mockRestore()
})

test('all companies that match get an owner and, undone, their own ones again, also those that are not on this device', async () => {
  acme = await onNewDevice(server, acme)
  const { tab } = acme
  const search = 'Company 0001'
  const owners = () =>
    inDatabase<{ id: string; owner_id: string | null }>(
      'select id, owner_id from companies where brand_id = $1 and name like $2 order by id',
      acme.brandId,
      `${search}%`,
    )
  const before = await owners()
  const known = before.filter(({ id }) => dataOf(tab).tables.companies.get(id)).length
  expect(known).toBeLessThan(before.length)
  const result = await tab.changeMatching(
    tab.device,
    { table: 'companies', search, mine: false },
    { owner_id: acme.userId },
    { signal: new AbortController().signal, onProgress: () => {} },
  )
  const given = await owners()
  expect(given.every(({ owner_id }) => owner_id === acme.userId)).toBe(true)
  tab.noteMatching(tab.device, 'companies', result)
  const undone = tab.undoStep(tab.device)
  expect(undone).toMatchObject({ words: `${result.ids.length} companies given to you`, kept: [] })
  await undone?.outcome
  expect(await owners()).toEqual(before)
  await tab.redoStep(tab.device)?.outcome
  expect(await owners()).toEqual(given)
  expect(tab.queue(tab.device).get().operations).toEqual([])
})
