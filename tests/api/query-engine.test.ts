import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Acme, dataOf, openAcme, untilSent } from '../harness/acme.ts'
import { fillBrand, type FilledBrand, randomQuery } from '../harness/random-queries.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import type { Query } from '#web/data/query/query.ts'

/**
 * The device and SQL give the same answer to a query. `SEED=… npx vitest run` repeats a failure.
 */
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const random = seededRandom(seed)
/** Random queries per test; more in the long tests. */
const times = process.env.BANYAN_LONG === '1' ? 2000 : 60
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

function here(query: Query) {
  const data = dataOf(acme.tab)
  const { count, sums } = acme.tab.figuresOf(data, query).read()
  return { ids: acme.tab.localRows(data, query).map(({ id }) => id), count, sums }
}

/** Reads all pages of a query, each after the last row of the page before; sometimes skips rows and reads them separately. */
async function onServer(query: Query) {
  const { tab } = acme
  const { signal } = new AbortController()
  const ask = async (more: object) => {
    const { answers } = await tab.readQueries(tab.device, dataOf(tab), [{ ...query, ...more }], signal)
    return answers[0] ?? expect.fail('no answer')
  }
  const ids: string[] = []
  let after: readonly unknown[] | null = null
  for (;;) {
    const limit = 1 + Math.floor(random() * 40)
    const skip = random() < 0.2 ? Math.floor(random() * 10) : 0
    if (skip > 0) {
      const skipped = await ask({ after, limit: skip })
      ids.push(...(skipped.rows ?? []).map(({ id }) => id))
    }
    const page = await ask({ after, skip, limit })
    ids.push(...(page.rows ?? []).map(({ id }) => id))
    after = page.end ?? null
    if (!after || (page.rows?.length ?? 0) < limit) break
  }
  const isSummed = query.table === 'deals'
  const figures = await ask({ rows: false, count: true, sums: isSummed })
  const sums = (figures.sums ?? []).map(({ currency, amount }) => ({ currency, amount }))
  return { ids, count: figures.total ?? -1, sums: sums.sort(poundsFirst) }
}

function poundsFirst(a: { currency: string }, b: { currency: string }): number {
  return Number(b.currency === 'GBP') - Number(a.currency === 'GBP') || (a.currency < b.currency ? -1 : 1)
}

async function expectOneAnswer(times: number): Promise<number> {
  let rows = 0
  for (let time = 0; time < times; time++) {
    const query = randomQuery(random, acme.userId, brand)
    const local = here(query)
    expect({ seed, query, ...(await onServer(query)) }).toEqual({ seed, query, ...local })
    rows += local.ids.length
  }
  return rows
}

test('random queries have the same rows, order, count and sums on this device and in SQL', async () => {
  // Most queries must find rows.
  expect(await expectOneAnswer(times)).toBeGreaterThan(times * 5)
})

test('they agree after edits, moves and deletes on this device', async () => {
  const { tab } = acme
  const data = dataOf(tab)
  const some = <Item>(items: Iterable<Item>) => [...items].filter(() => random() < 0.15)
  for (const deal of some(data.tables.deals.values())) {
    const stage = brand.stages[Math.floor(random() * brand.stages.length)] ?? ''
    await tab.updateRecord(
      tab.device,
      'deals',
      deal.id,
      random() < 0.5 ? { stage_id: stage } : { name: `item ${deal.amount}` },
    )
  }
  for (const contact of some(data.tables.contacts.values()))
    await tab.updateRecord(tab.device, 'contacts', contact.id, { last_name: 'ångström' })
  for (const task of some(data.tables.tasks.values()))
    await tab.setTaskStatus(tab.device, task.id, random() < 0.5 ? 'done' : 'open')
  await tab.deleteRecords(
    tab.device,
    'companies',
    some(data.tables.companies.values()).map(({ id }) => id),
  )
  await untilSent(tab)
  await tab.requestPull(tab.device)
  await expectOneAnswer(times)
})
