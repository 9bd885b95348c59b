import { expect, test, vi } from 'vitest'
import { dataOf, makeDeal, stageOf } from '../harness/acme.ts'
import { acme, replaceDevice, inDatabase, setUpAcme } from '../harness/acme-scene.ts'

setUpAcme()

/** Creates deals in all stages, with amounts in four currencies that a sum of floating-point numbers would get wrong. */
function fillDeals(count: number) {
  return inDatabase(
    `insert into public.deals (brand_id, name, amount, amount_currency, stage_id)
     select $1, 'Deal ' || n, case n % 7 when 6 then n else n + 0.1 end, (array['GBP', 'EUR', 'GBP', 'USD', 'GBP', 'GBP', 'JPY'])[n % 7 + 1],
       (select s.id from public.deal_stages s where s.brand_id = $1 order by s.position offset n % 6 limit 1)
     from generate_series(1, $2::int) n`,
    acme.brandId,
    count,
  )
}

async function fillContacts(count: number) {
  // The trigger would set the same time on all rows, and they would have no order.
  await inDatabase('alter table public.contacts disable trigger stamp')
  await inDatabase(
    `insert into public.contacts (brand_id, email, first_name, last_name, created_at)
     select $1, 'person' || n || '@big.test', 'First' || n, 'Last' || n, now() - n * interval '1 second'
     from generate_series(1, $2::int) n`,
    acme.brandId,
    count,
  )
  await inDatabase('alter table public.contacts enable trigger stamp')
}

/** Returns the current first column of the board. */
const firstColumn = () => board().read().columns[0]

/** Returns the view of the board, filtered by a search. */
const board = (search = '') => acme.tab.boardView(dataOf(acme.tab), { search })

test('a new device fetches a brand of up to 1,000 rows with three requests: counts, rows, and changes made meanwhile', async () => {
  await fillDeals(500)
  await fillContacts(400)
  await replaceDevice()
  const { tables } = dataOf(acme.tab)
  expect([tables.deals.size, tables.contacts.size]).toEqual([500, 400])
  const requests = acme.browser.network.log.filter(({ path }) => path.endsWith('/rpc/pull'))
  // A pull that is requested while the first one runs adds one request for changes.
  expect(requests.length - 3, 'requests beyond the three').toBeLessThan(3)
})

test('a brand with more deals than a page is pulled completely, and counts and totals equal those of SQL to the penny', async () => {
  await fillDeals(2345)
  await acme.tab.requestPull(acme.tab.device)
  expect(dataOf(acme.tab).tables.deals.size).toBe(2345)
  const columns = board().read().columns
  const shownTotals = columns.flatMap(({ stage, totals }) =>
    totals.map(({ currency, amount }) => `${stage.name} ${currency} ${amount}`),
  )
  const rowsOfSql = await inDatabase<{ line: string }>(
    `select s.name || ' ' || d.amount_currency || ' ' || trim_scale(sum(d.amount)) as line from public.deals d
     join public.deal_stages s on s.brand_id = d.brand_id and s.id = d.stage_id where d.brand_id = $1 group by s.name, d.amount_currency`,
    acme.brandId,
  )
  expect(shownTotals.sort()).toEqual(rowsOfSql.map(({ line }) => line).sort())
  expect(columns.reduce((sum, { count }) => sum + count, 0)).toBe(2345)
})

test('a column of the board shows the newest deals first, and deals of the same time by id; a search filters cards, count and totals', async () => {
  await fillDeals(60)
  await makeDeal(acme.tab, { name: 'The newest', amount: 5 })
  await acme.tab.requestPull(acme.tab.device)
  const [incoming] = board().read().columns
  expect(incoming?.at(0)?.deal.name).toBe('The newest')
  const ids = Array.from({ length: incoming?.count ?? 0 }, (_, index) => incoming?.at(index)?.deal.id)
  const rowsOfSql = await inDatabase<{ id: string }>(
    'select id from public.deals where brand_id = $1 and stage_id = $2 order by created_at desc, id',
    acme.brandId,
    incoming?.stage.id,
  )
  expect(ids).toEqual(rowsOfSql.map(({ id }) => id))
  expect(incoming?.indexOf(ids[3] ?? '')).toBe(3)
  const foundColumns = board('the NEW').read().columns
  expect(foundColumns.map(({ count }) => count)).toEqual([1, 0, 0, 0, 0, 0])
  expect(foundColumns[0]?.totals).toEqual([{ currency: 'GBP', amount: 5 }])
})

test('the next pull fetches a colleague’s change and delete, and a renamed company is shown on every card', async () => {
  const [company] = await inDatabase<{ id: string }>(
    "insert into public.companies (brand_id, name) values ($1, 'Old name') returning id",
    acme.brandId,
  )
  const id = await makeDeal(acme.tab, { company_id: company?.id ?? null })
  const deletedDeal = await makeDeal(acme.tab)
  await acme.tab.requestPull(acme.tab.device)
  const card = () =>
    Array.from({ length: firstColumn()?.count ?? 0 }, (_, i) => firstColumn()?.at(i)).find((one) => one?.deal.id === id)
  expect(card()?.companyName).toBe('Old name')
  await inDatabase("update public.companies set name = 'New name' where id = $1", company?.id)
  await inDatabase('delete from public.deals where id = $1', deletedDeal)
  await acme.tab.requestPull(acme.tab.device)
  expect(card()?.companyName).toBe('New name')
  expect(dataOf(acme.tab).tables.deals.get(deletedDeal)).toBeUndefined()
  expect(firstColumn()?.count).toBe(1)
})

test('a pull that returns no changes does not change the deals in memory', async () => {
  await makeDeal(acme.tab)
  await acme.tab.requestPull(acme.tab.device)
  await acme.tab.requestPull(acme.tab.device)
  const before = board().read().columns
  const changeId = dataOf(acme.tab).tables.deals.changeId()
  await acme.tab.requestPull(acme.tab.device)
  expect(dataOf(acme.tab).tables.deals.changeId()).toBe(changeId)
  expect(before.length).toBe(6)
})

test('after a restore (new epoch, lower versions) everything is pulled again and missing rows are removed', async () => {
  const keptDeal = await makeDeal(acme.tab, { name: 'Kept' })
  const lostDeal = await makeDeal(acme.tab, { name: 'Written after the backup' })
  await acme.tab.moveDeal(acme.tab.device, keptDeal, stageOf(acme.tab, 'Won').id)
  await acme.tab.requestPull(acme.tab.device)
  // Simulates a restore: the rows are those of the backup, without a tombstone, and the epoch is new.
  await inDatabase('alter table public.deals disable trigger user')
  await inDatabase('delete from public.deals where id = $1', lostDeal)
  await inDatabase(
    'update public.deals set version = 1, stage_id = $2 where id = $1',
    keptDeal,
    stageOf(acme.tab, 'Incoming').id,
  )
  await inDatabase('alter table public.deals enable trigger user')
  await inDatabase('select private.on_restore()')
  await acme.tab.requestPull(acme.tab.device)
  expect(dataOf(acme.tab).tables.deals.get(lostDeal)).toBeUndefined()
  expect(dataOf(acme.tab).tables.deals.get(keptDeal)).toMatchObject({
    version: 1,
    stage_id: stageOf(acme.tab, 'Incoming').id,
  })
})

test('if there are more contacts than a device keeps, pages and searches come from the server, and local rows are merged in', async () => {
  await fillContacts(10_050)
  await replaceDevice()
  const { tab } = acme
  await tab.requestPull(tab.device)
  expect(dataOf(tab).state.get().tables.contacts?.mode).toBe('windowed')
  const list = tab.contactList(dataOf(tab), tab.listKey('', {}))
  list.subscribe(() => {})
  await vi.waitFor(() => expect(list.read()).toMatchObject({ ready: true, total: 10_050, searching: false }), 5000)
  expect(list.read().at(0)?.contact.first_name).toBe('First1')
  expect(list.read().at(9_000)).toBeUndefined()
  list.read().want(9_000)
  await vi.waitFor(() => expect(list.read().at(9_000)?.contact.first_name).toBe('First9001'), 5000)
  const searchList = tab.contactList(dataOf(tab), tab.listKey('last777', {}))
  searchList.subscribe(() => {})
  await vi.waitFor(() => expect(searchList.read()).toMatchObject({ total: 11, searching: false }), 5000)
  expect(searchList.read().at(0)?.contact.last_name).toBe('Last777')
  // A count that stopped at 1,000 becomes exact once the last counted row is requested, and stays exact.
  const listOfFirst = tab.contactList(dataOf(tab), tab.listKey('first', {}))
  listOfFirst.subscribe(() => {})
  await vi.waitFor(
    () => expect(listOfFirst.read()).toMatchObject({ total: 1000, hasMore: true, searching: false }),
    5000,
  )
  expect(listOfFirst.read().at(0)?.contact.first_name).toBe('First1')
  listOfFirst.read().want(500)
  await vi.waitFor(() => expect(listOfFirst.read().at(500)?.contact.first_name).toBe('First501'), 5000)
  expect(listOfFirst.read()).toMatchObject({ total: 1000, hasMore: true })
  listOfFirst.read().want(999)
  await vi.waitFor(() => expect(listOfFirst.read()).toMatchObject({ total: 10_050, hasMore: false }), 5000)
  listOfFirst.read().want(10_049)
  await vi.waitFor(() => expect(listOfFirst.read().at(10_049)?.contact.first_name).toBe('First10050'), 5000)
  // A local row is on top at once, before the server counts it.
  acme.browser.network.offline = true
  tab.reachable(tab.device).set(false)
  await tab.addContact(tab.device, {
    email: 'ours@big.test',
    first_name: 'Ours',
    last_name: null,
    company: null,
  })
  expect(list.read()).toMatchObject({ total: 10_051 })
  expect(list.read().at(0)?.contact.first_name).toBe('Ours')
  expect(list.read().at(1)?.contact.first_name).toBe('First1')
})
