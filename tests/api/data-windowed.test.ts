import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Acme, dataOf, openAcme, untilPulled, untilSent } from '../harness/acme.ts'
import { fakeBrowser } from '../harness/fake-browser.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

/** A brand with more deals than a device holds, opened on a new device: one contact has 150 of them, every third is Ana's. */
const deals = 20_100
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
  // Without triggers it takes a second; the device that comes has seen nothing before.
  await inDatabase('alter table deals disable trigger user')
  await inDatabase(
    `insert into deals (brand_id, name, amount, amount_currency, stage_id, owner_id, contact_id, created_at)
     select $1, 'Deal ' || n, case n % 5 when 0 then n else n + 0.1 end, (array['JPY', 'GBP', 'EUR', 'GBP', 'GBP'])[n % 5 + 1],
       (select s.id from deal_stages s where s.brand_id = $1 order by s.position offset n % 6 limit 1),
       case when n % 3 = 0 then $2::uuid end, case when n > $4 - 150 then $3::uuid end, now() - n * interval '1 second'
     from generate_series(1, $4::int) n`,
    acme.brandId,
    acme.userId,
    contact,
    deals,
  )
  await inDatabase('alter table deals enable trigger user')
  acme.browser.close()
  const browser = fakeBrowser(server)
  const tab = await browser.openTab()
  acme = { ...acme, browser, tab }
  expect((await tab.signIn(acme.email, 'correct horse')).ok).toBe(true)
  await tab.chooseBrand(acme.brandId)
  await untilPulled(tab)
  await vi.waitFor(() => expect(dataOf(tab).state.get().tables.deals?.mode).toBe('windowed'), 10_000)
})
afterAll(async () => {
  acme.browser.close()
  await server.stop()
})

async function inDatabase<Row = Record<string, unknown>>(sql: string, ...values: unknown[]): Promise<Row[]> {
  const { rows } = await (server.database?.owner.query(sql, values) ?? expect.fail('no database'))
  return rows as Row[]
}

/** What SQL says of the stages: 'Incoming GBP 670 123.4'. */
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

test('the board of mine is SQL’s: counts, totals by currency and cards, far down too', async () => {
  const { tab } = acme
  const board = tab.boardView(dataOf(tab), '', true)
  const stop = board.subscribe(() => {})
  const expected = await figuresInDatabase(mine())
  await vi.waitFor(() => expect(figuresOf(board)).toEqual(expected), 5000)
  const [column] = board.read().columns
  expect(column?.count).toBe(3350)
  const far = () => board.read().columns[0]?.at(3000)
  far()
  await vi.waitFor(() => expect(far()?.deal.owner_id).toBe(acme.userId), 5000)
  stop()
})

test('deleted and brought back: the figures follow at once and end as SQL has them', async () => {
  const { tab } = acme
  const board = tab.boardView(dataOf(tab), '')
  const stop = board.subscribe(() => {})
  const before = await figuresInDatabase('true')
  await vi.waitFor(() => expect(figuresOf(board)).toEqual(before), 5000)
  const ids = [0, 1, 2].map((index) => board.read().columns[0]?.at(index)?.deal.id ?? '')
  const deleted = tab.deleteRecords('deals', ids)
  expect(board.read().columns[0]?.count).toBe(deals / 6 - 3)
  expect(figuresOf(board)).not.toEqual(before)
  expect((await deleted).status).toBe('saved')
  const without = await figuresInDatabase('true')
  await vi.waitFor(() => expect(figuresOf(board)).toEqual(without), 5000)
  expect((await tab.restoreRecords('deals', ids)).status).toBe('saved')
  await untilSent(tab)
  await vi.waitFor(() => expect(figuresOf(board)).toEqual(before), 5000)
  await vi.waitFor(() => expect(board.read().columns[0]?.at(0)?.deal.id).toBe(ids[0]), 5000)
  stop()
})

test('a deal beyond the window is opened by its id, and what is linked to a contact comes from the server', async () => {
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
  expect(linked.read().entries.length).toBeGreaterThanOrEqual(100)
  stopLinked()
  const unlinked = tab.unlinkedView(dataOf(tab), 'contacts', contact)
  const stopCounting = unlinked.subscribe(() => {})
  await vi.waitFor(() => expect(unlinked.read()).toEqual({ ready: true, deals: 150, tasks: 0, contacts: 0 }), 5000)
  stopCounting()
})
