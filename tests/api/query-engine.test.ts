import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Acme, dataOf, openAcme, untilSent } from '../harness/acme.ts'
import { fillBrand, type FilledBrand, randomQuery, randomSearch } from '../harness/random-queries.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { customSort } from '#web/data/query/custom-order.ts'
import { customPath } from '#web/data/store/row-fields.ts'
import type { Query } from '#web/data/query/query.ts'
import type { Money } from '#web/lib/money.ts'

/** These tests compare the rows that the device and SQL return for random queries. `SEED=… npx vitest run` repeats a failure. */
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const random = seededRandom(seed)
/** Number of random queries per test. The long tests run more. */
const queriesPerTest = process.env.BANYAN_LONG === '1' ? 2000 : 60
let server: TestServer
let acme: Acme
let brand: FilledBrand

beforeAll(async () => {
  server = await startTestServer()
  acme = await openAcme(server)
  brand = await fillBrand(server, random, acme)
  await acme.tab.requestPull(acme.tab.device)
})
afterAll(async () => {
  acme.browser.close()
  await server.stop()
})

function deviceAnswer(query: Query) {
  const data = dataOf(acme.tab)
  const { count, sums } = acme.tab.figuresOf(data, query).read()
  return { ids: acme.tab.localRows(data, query).map(({ id }) => id), count, sums }
}

/**
 * Reads all pages of a query, with up to `most` rows each. A page begins after the last row of the previous one. Sometimes skips rows, and
 * reads these rows separately. Returns the ids, the count and the sums.
 */
async function serverAnswer(query: Query, most = 40) {
  const { tab } = acme
  const { signal } = new AbortController()
  const runQuery = async (more: object) => {
    const { answers } = await tab.readQueries(tab.device, dataOf(tab), [{ ...query, ...more }], signal)
    return answers[0] ?? expect.fail('no answer')
  }
  const ids: string[] = []
  let after: readonly unknown[] | null = null
  for (;;) {
    const limit = 1 + Math.floor(random() * most)
    const skip = random() < 0.2 ? Math.floor(random() * 10) : 0
    if (skip > 0) {
      const skipped = await runQuery({ after, limit: skip })
      ids.push(...(skipped.rows ?? []).map(({ id }) => id))
    }
    const page = await runQuery({ after, skip, limit })
    ids.push(...(page.rows ?? []).map(({ id }) => id))
    after = page.end ?? null
    if (!after || (page.rows?.length ?? 0) < limit) break
  }
  const isSummed = query.table === 'deals'
  const figures = await runQuery({ rows: false, count: true, sums: isSummed })
  return { ids, count: figures.total ?? -1, sums: moneyIn(figures.sums ?? []) }
}

function moneyIn(sums: readonly Money[]): Money[] {
  return sums.map(({ currency, amount }) => ({ currency, amount })).sort(poundsFirst)
}

function pickOne<Item>(items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] ?? expect.fail('nothing to pick from')
}

function poundsFirst(a: { currency: string }, b: { currency: string }): number {
  return Number(b.currency === 'GBP') - Number(a.currency === 'GBP') || (a.currency < b.currency ? -1 : 1)
}

/** Expects `count` random queries to return the rows, count and sums of the device. Returns how many rows they found. */
async function expectSameRows(count: number): Promise<number> {
  let rowCount = 0
  for (let i = 0; i < count; i++) {
    const query = randomQuery(random, acme.userId, brand)
    const local = deviceAnswer(query)
    expect({ seed, query, ...(await serverAnswer(query)) }).toEqual({ seed, query, ...local })
    rowCount += local.ids.length
  }
  return rowCount
}

test('random queries have the same rows, order, count and sums on this device and in SQL', async () => {
  // Most queries must find rows.
  expect(await expectSameRows(queriesPerTest)).toBeGreaterThan(queriesPerTest * 5)
})

test('device and SQL return the same rows after edits, moves and deletes on this device', async () => {
  const { tab } = acme
  const data = dataOf(tab)
  const randomPart = <Item>(items: Iterable<Item>) => [...items].filter(() => random() < 0.15)
  for (const deal of randomPart(data.tables.deals.values())) {
    const stage = brand.stages[Math.floor(random() * brand.stages.length)] ?? ''
    await tab.updateRecord(
      tab.device,
      'deals',
      deal.id,
      random() < 0.5 ? { stage_id: stage } : { name: `item ${deal.amount}` },
    )
  }
  for (const contact of randomPart(data.tables.contacts.values()))
    await tab.updateRecord(tab.device, 'contacts', contact.id, {
      last_name: 'ångström',
      [customPath(brand.fields.number.contacts)]: random() < 0.3 ? null : Math.floor(random() * 100) / 4,
    })
  for (const task of randomPart(data.tables.tasks.values()))
    await tab.setTaskStatus(tab.device, task.id, random() < 0.5 ? 'done' : 'open')
  await tab.deleteRecords(
    tab.device,
    'companies',
    randomPart(data.tables.companies.values()).map(({ id }) => id),
  )
  await untilSent(tab)
  await tab.requestPull(tab.device)
  await expectSameRows(queriesPerTest)
})

test('device and SQL return the same rows after the options of a field were reordered and a field was retired', async () => {
  const { number, choice } = brand.fields
  const query: Query = {
    table: 'contacts',
    order: customSort(choice.contacts),
    where: { [customPath(choice.contacts)]: { not: null } },
  }
  const before = deviceAnswer(query).ids
  await server.database?.owner.query(
    `update public.custom_fields set retired_at = case when id = any ($2) then now() end,
       options = case when id = any ($3) then '["a,b", "gold"]' else options end
     where brand_id = $1 and id = any ($2::uuid[] || $3::uuid[])`,
    [acme.brandId, Object.values(number), Object.values(choice)],
  )
  await acme.tab.requestPull(acme.tab.device)
  expect(deviceAnswer(query).ids).not.toEqual(before)
  const [newest, retired] = ['newest', customSort(number.contacts, true)].map(
    (order) => deviceAnswer({ table: 'contacts', order }).ids,
  )
  expect(retired).toEqual(newest)
  await expectSameRows(queriesPerTest)
})

test('500 random searches find the same rows on this device and in SQL', async () => {
  expect(await expectSameHits(10)).toBeGreaterThan(150)
})

/** Sends batches of 50 random searches, and expects the rows of the device. Returns how many searches found something. */
async function expectSameHits(batches: number): Promise<number> {
  const { tab } = acme
  const tables = ['contacts', 'companies', 'deals', 'tasks'] as const
  let searchesWithHits = 0
  for (let batch = 0; batch < batches; batch++) {
    const queries = Array.from({ length: 50 }, (_, index) => ({
      table: tables[index % tables.length] ?? 'deals',
      search: randomSearch(random),
    }))
    const limitedQueries = queries.map((query) => ({ ...query, limit: 1000 }))
    const { answers } = await tab.readQueries(tab.device, dataOf(tab), limitedQueries, new AbortController().signal)
    for (const [index, query] of queries.entries()) {
      const ids = (answers[index]?.rows ?? []).map(({ id }) => id)
      expect({ seed, query, ids }).toEqual({ seed, query, ids: deviceAnswer(query).ids })
      searchesWithHits += ids.length > 0 ? 1 : 0
    }
  }
  return searchesWithHits
}

/**
 * Queries all columns of a board at once, with a random search and filter. Expects the first cards, counts and sums of the device. Returns
 * the number of cards.
 */
async function expectSameBoard(): Promise<number> {
  const { tab } = acme
  const { where = {} } = randomQuery(random, acme.userId, brand, 'deals')
  const filters = { where: random() < 0.7 ? where : {}, search: random() < 0.6 ? randomSearch(random) : '' }
  const limit = 1 + Math.floor(random() * 6)
  const columns = brand.stages.map(
    (stage_id): Query<'deals'> => ({
      table: 'deals',
      where: { ...filters.where, stage_id },
      search: filters.search,
    }),
  )
  const parts = pickOne([[{ sums: true }], [{}, { rows: false, sums: true }]])
  const { signal } = new AbortController()
  const queries = columns.map((query) => ({ ...query, limit }))
  const [first, last = first] = await Promise.all(
    parts.map((part) =>
      tab.readQueries(
        tab.device,
        dataOf(tab),
        queries.map((query) => ({ ...query, ...part })),
        signal,
      ),
    ),
  )
  let cards = 0
  for (const [index, query] of columns.entries()) {
    const { ids, count, sums } = deviceAnswer(query)
    const shownIds = (first?.answers[index]?.rows ?? []).map(({ id }) => id)
    const figures = last?.answers[index]
    expect({ seed, query, shown: shownIds, count: figures?.total, sums: moneyIn(figures?.sums ?? []) }).toEqual({
      seed,
      query,
      shown: ids.slice(0, limit),
      count,
      sums,
    })
    cards += shownIds.length
  }
  return cards
}

/** Expects a count to be exact, or, if it stopped at its limit, to say so and not to be above the real number. */
async function expectCorrectCount(): Promise<void> {
  const { tab } = acme
  const query = randomQuery(random, acme.userId, brand)
  const most = 1 + Math.floor(random() * 20)
  const queries = [{ ...query, limit: 1 + Math.floor(random() * 5), count: true, most }]
  const { answers } = await tab.readQueries(tab.device, dataOf(tab), queries, new AbortController().signal)
  const { total = -1, more = false } = answers[0] ?? {}
  const { count } = deviceAnswer(query)
  expect({ seed, query, most, total, count, isCorrect: more ? total <= count : total === count }).toMatchObject({
    isCorrect: true,
  })
}

test('a board that is queried in one request has the same cards, counts and sums on this device and in SQL', async () => {
  let cards = 0
  for (let i = 0; i < queriesPerTest; i++) cards += await expectSameBoard()
  expect(cards).toBeGreaterThan(queriesPerTest * 2)
})

test('a count that stops at its limit says that there may be more', async () => {
  for (let i = 0; i < queriesPerTest; i++) await expectCorrectCount()
})

test('device and SQL return the same rows if the server treats the brand as a large one, and searches a part of it first', {
  timeout: 180_000,
}, async () => {
  // From these two values the server computes how many rows a search may read. Query plans that PostgreSQL has cached still contain the old values.
  for (const [name, value] of Object.entries({ first_look: 8, few_hits: 4 }))
    await server.database?.owner.query(
      `create or replace function private.${name}() returns integer language sql immutable as 'select ${value}'`,
    )
  const searchesWithHits = await expectSameHits(5)
  expect(searchesWithHits).toBeGreaterThan(75)
  expect(await expectSameRows(queriesPerTest)).toBeGreaterThan(queriesPerTest * 5)
  for (let i = 0; i < queriesPerTest / 2; i++) {
    // Searches for one or two letters, which many names contain.
    const search = randomSearch(random).slice(0, 1 + Math.floor(random() * 2))
    const table = pickOne(['contacts', 'companies', 'deals'] as const)
    const query: Query = { table, search, order: pickOne(['newest', 'name']) }
    expect({ seed, query, ...(await serverAnswer(query, 5)) }).toEqual({ seed, query, ...deviceAnswer(query) })
    await expectSameBoard()
    await expectCorrectCount()
  }
  for (const [name, value] of Object.entries({ first_look: 2000, few_hits: 5000 }))
    await server.database?.owner.query(
      `create or replace function private.${name}() returns integer language sql immutable as 'select ${value}'`,
    )
})

test.each([
  ['2345', 'part of a phone number'],
  ['0171', 'the beginning of a phone number with its leading zero'],
  ['+49171', 'the beginning of a phone number with its country code'],
  ['0171/2345', 'part of a phone number with a slash'],
  ['vogt anja', 'words in another order'],
  ['vogt hafen', 'a name and a company'],
  ['VÖGT', 'an upper-case name with its umlaut'],
  ['voegt', 'a name with its umlaut written as two letters'],
  ['einkauf', 'a job title'],
  ['ANJA.VOGT@', 'the beginning of an e-mail address'],
])('the search %s finds a contact: %s', async (search) => {
  await server.database?.owner.query(
    `with company as (insert into public.companies (brand_id, name) values ($1, 'Hafenlogistik') returning id)
     insert into public.contacts (brand_id, first_name, last_name, email, phone, title, company_id)
     select $1, 'Anja', 'Vögt', 'anja.vogt@hafen.test', '+49 171 2345-678', 'Leiterin Einkauf', id from company
     where not exists (select from public.contacts where email_norm = 'anja.vogt@hafen.test')`,
    [acme.brandId],
  )
  await acme.tab.requestPull(acme.tab.device)
  const query: Query = { table: 'contacts', search }
  const contacts = dataOf(acme.tab).tables.contacts
  const names = (ids: readonly string[]) => ids.map((id) => contacts.get(id)?.first_name)
  expect(names(deviceAnswer(query).ids)).toContain('Anja')
  expect(names((await serverAnswer(query)).ids)).toContain('Anja')
})

test('the zeros in the middle of a searched telephone number count, on this device and in SQL', async () => {
  await server.database?.owner.query(
    `insert into public.contacts (brand_id, first_name, phone) values ($1, 'Zora', '+44 20 7946 0012'), ($1, 'Zeno', '+44 20 7946 1234')`,
    [acme.brandId],
  )
  await acme.tab.requestPull(acme.tab.device)
  const { contacts } = dataOf(acme.tab).tables
  const zora = [...contacts.values()].flatMap(({ id, first_name }) => (first_name === 'Zora' ? [id] : []))
  const search = async (text: string) => {
    const query: Query = { table: 'contacts', search: text }
    const { ids } = await serverAnswer(query)
    expect(new Set(deviceAnswer(query).ids)).toEqual(new Set(ids))
    return ids
  }
  expect(zora).toHaveLength(1)
  for (const text of ['020 7946 0012', '020 7946 00-12', '+44 20 7946 0012', '7946 0012'])
    expect(await search(text)).toEqual(zora)
  expect((await search('020 7946')).length).toBeGreaterThan(1)
  for (const text of ['0012 007', 'zora 0020', '020 +44 20 7946', '0012 0012 34', '7 0 00']) await search(text)
})
