import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { addNote, editNote, type TimelineTable } from '#web/data/notes.ts'
import { localNoteHits, noteHits } from '#web/data/note-search.ts'
import type { Where } from '#web/data/query/list-options.ts'
import { storeAnsweredRows } from '#web/data/query/send-questions.ts'
import { rpc } from '#web/data/server/rpc.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import { type Acme, goOnline, dataOf, goOffline, openAcme, untilSent, waitOptions } from '../harness/acme.ts'
import { query } from '../harness/query.ts'
import { fillBrand, type FilledBrand, randomSearch } from '../harness/random-queries.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

/** The first test compares the notes that the device and SQL find by random searches. `SEED=… npx vitest run` repeats a failure. */
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const random = seededRandom(seed)
let server: TestServer
let acme: Acme
let brand: FilledBrand

const tables = ['contacts', 'companies', 'deals'] as const
const separators = [
  ' ',
  '-',
  '. ',
  '\n- ',
  '**',
  '、',
  '…',
  ' @[Søren Å](user:11111111-2222-4333-8444-555555555555) ',
  '😀',
  '_',
  "'",
]
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] ?? expect.fail()
const inDatabase = <Row>(sql: string, ...values: unknown[]) => query<Row>(server, sql, acme.brandId, ...values)

const noteBodies: string[] = []
/** Returns the first word of a random note. */
const writtenWord = () => pick(noteBodies).trim().split(/\s/)[0] ?? ''

beforeAll(async () => {
  server = await startTestServer()
  acme = await openAcme(server)
  brand = await fillBrand(server, random, acme)
  for (let at = 0; at < 300; at++) {
    const body = Array.from(
      { length: 1 + Math.floor(random() * 4) },
      () => randomSearch(random) + pick(separators),
    ).join('')
    noteBodies.push(body)
    const links = [pick(brand.contacts), random() < 0.3 ? pick(brand.companies) : null]
    await inDatabase(
      `insert into notes (brand_id, body, contact_id, company_id, occurred_at) values ($1, 'x' || $2, $3, $4, '2026-11-01'::timestamptz + $5 * interval '1 hour')`,
      body,
      ...links,
      Math.floor(random() * 60),
    )
  }
  await acme.tab.requestPull(acme.tab.device)
})
afterEach(() => {
  acme.browser.network.judge = () => 'pass'
})
afterAll(async () => {
  acme.browser.close()
  await server.stop()
})

/** Returns the ids of the notes that the server finds. Reads all pages, with up to `limit` notes each. */
async function serverNoteIds(table: TimelineTable, search: string, where: object, limit: number): Promise<string[]> {
  const ids: string[] = []
  let next: string | null = null
  do {
    const args = { p_brand_id: acme.brandId, p_query: { table, search, where }, p_before: next, p_limit: limit }
    const page: { notes: AnyRow[]; next: string | null } = await rpc(acme.tab.device, acme.userId, 'search_notes', args)
    ids.push(...page.notes.map(({ id }) => id))
    next = page.next
  } while (next !== null)
  return ids
}

test('random searches find the same notes on this device, if it has them, and in SQL, page by page', async () => {
  const data = dataOf(acme.tab)
  const rows = await inDatabase<{ row: AnyRow }>('select to_jsonb(n) as row from notes n where brand_id = $1')
  await storeAnsweredRows(
    data,
    'notes',
    rows.map(({ row }) => row),
    data.state.get(),
  )
  let searchesWithHits = 0
  // Runs 120 searches, and then up to 600 until more than 30 have found a note: of 120 random searches 28 to 50 find one.
  for (let round = 0; round < 120 || (searchesWithHits <= 30 && round < 600); round++) {
    const table = pick(tables)
    const search = `${random() < 0.3 ? writtenWord() : randomSearch(random)}${pick(['', '', ...separators])}${random() < 0.3 ? randomSearch(random) : ''}`
    const where: Where = random() < 0.4 ? { owner_id: random() < 0.5 ? acme.userId : null } : {}
    const localIds = localNoteHits(data, { table, search, where }).map(({ note }) => note.id)
    const limit = 1 + Math.floor(random() * 50)
    expect({ seed, table, search, where, ids: await serverNoteIds(table, search, where, limit) }).toEqual({
      seed,
      table,
      search,
      where,
      ids: localIds,
    })
    searchesWithHits += localIds.length > 0 ? 1 : 0
  }
  expect(searchesWithHits).toBeGreaterThan(30)
})

test('hits come page by page, follow edits of this device and of others, and come from the device when it is offline', async () => {
  const { tab } = acme
  const data = dataOf(tab)
  const contacts = await inDatabase<{ id: string }>(
    `insert into contacts (brand_id, first_name) select $1, 'Person ' || n from generate_series(1, 25) n returning id`,
  )
  await inDatabase(
    `insert into notes (brand_id, contact_id, body, occurred_at)
     select $1, c.id, 'Cork allergy ' || c.place, '2026-01-01'::timestamptz + c.place * interval '1 day'
     from unnest($2::uuid[]) with ordinality c (id, place)`,
    contacts.map(({ id }) => id),
  )
  await tab.requestPull(tab.device)
  const hits = noteHits(data, JSON.stringify({ table: 'contacts', search: 'CORK all' }))
  const shownBodies = () => hits.read().hits.map(({ note }) => note.body)
  expect(shownBodies()).toEqual([])
  const stop = hits.subscribe(() => {})
  await vi.waitFor(
    () => expect(hits.read()).toMatchObject({ ready: true, hasMore: true, hasFailed: false }),
    waitOptions,
  )
  expect(shownBodies()).toEqual(Array.from({ length: 20 }, (_, at) => `Cork allergy ${25 - at}`))
  hits.read().more()
  await vi.waitFor(() => expect(shownBodies()).toHaveLength(25), waitOptions)
  expect(hits.read().hasMore).toBe(false)

  // A colleague writes a note that is not on this device.
  await inDatabase(
    `insert into notes (brand_id, contact_id, body) values ($1, $2, 'No cork: allergies')`,
    contacts[3]?.id,
  )
  await vi.waitFor(() => expect(shownBodies()[0]).toBe('No cork: allergies'), waitOptions)
  expect(shownBodies()).toHaveLength(25)

  goOffline(acme)
  await addNote(tab.device, 'contacts', contacts[7]?.id ?? '', {
    kind: 'call',
    body: 'Corks, all of them',
    occurred_at: null,
  })
  expect(shownBodies()[0]).toBe('Corks, all of them')
  await editNote(tab.device, hits.read().hits[1]?.note.id ?? '', { body: 'Tin' })
  const offlineHits = noteHits(data, JSON.stringify({ table: 'contacts', search: 'cork' }))
  const stopOffline = offlineHits.subscribe(() => {})
  expect(offlineHits.read()).toMatchObject({ ready: true, hasFailed: true, hasMore: false })
  expect(offlineHits.read().hits.map(({ note }) => note.body)).toContain('Corks, all of them')
  expect(offlineHits.read().hits.map(({ note }) => note.body)).not.toContain('No cork: allergies')
  await goOnline(acme)
  await untilSent(tab)
  await vi.waitFor(() => expect(offlineHits.read()).toMatchObject({ hasFailed: false, hasMore: true }), waitOptions)
  stopOffline()
  stop()
})

test('a note that is written while the response is on its way is found; a busy server is queried again', async () => {
  const { tab, browser } = acme
  const data = dataOf(tab)
  const [contact] = await inDatabase<{ id: string }>(
    "insert into contacts (brand_id, first_name) values ($1, 'Late') returning id",
  )
  await tab.requestPull(tab.device)
  let requestCount = 0
  browser.network.judge = async (url) => {
    if (!url.includes('/rpc/search_notes')) return 'pass'
    requestCount += 1
    if (requestCount === 1) return new Response('{"message":"busy"}', { status: 503 })
    if (requestCount > 2) return 'pass'
    await inDatabase("insert into notes (brand_id, contact_id, body) values ($1, $2, 'Quince jam')", contact?.id)
    data.invalidate('notes')
    // Waits longer than the pause between two searches.
    await new Promise((resolve) => setTimeout(resolve, 400))
    return new Response(JSON.stringify({ notes: [], named: {}, next: null }), {
      headers: { 'content-type': 'application/json' },
    })
  }
  const hits = noteHits(data, JSON.stringify({ table: 'contacts', search: 'quince' }))
  const stop = hits.subscribe(() => {})
  await vi.waitFor(() => expect(hits.read()).toMatchObject({ ready: true, hasFailed: true }), waitOptions)
  await vi.waitFor(() => expect(hits.read().hits.map(({ note }) => note.body)).toEqual(['Quince jam']), waitOptions)
  expect(hits.read().hasFailed).toBe(false)
  expect(requestCount).toBe(3)
  stop()
})

/** Creates 45 contacts, each with a note that contains this word, and a view that searches for it. Resolves when the view has its first page. */
async function openListOfThreePages(word: string) {
  const { tab } = acme
  const data = dataOf(tab)
  await inDatabase(
    `with people as (insert into contacts (brand_id, first_name) select $1, 'Reader ' || n from generate_series(1, 45) n returning id)
     insert into notes (brand_id, contact_id, body) select $1, id, $2 from people`,
    word,
  )
  await tab.requestPull(tab.device)
  const hits = noteHits(data, JSON.stringify({ table: 'contacts', search: word }))
  const stop = hits.subscribe(() => {})
  await vi.waitFor(() => expect(hits.read()).toMatchObject({ ready: true, hasMore: true }), waitOptions)
  const untilShown = (count: number) =>
    vi.waitFor(() => expect(hits.read()).toMatchObject({ hits: { length: count }, hasMore: count < 45 }), waitOptions)
  await untilShown(20)
  return { data, hits, stop, untilShown }
}

/** Holds back the searches of notes until `letGo` is called. `begun`: the number of searches so far. */
function holdSearches() {
  const { network } = acme.browser
  const held: (() => void)[] = []
  const state = {
    begun: 0,
    letGo: () => {
      network.judge = () => 'pass'
      for (const go of held) go()
    },
  }
  network.judge = async (url): Promise<'pass'> => {
    if (!url.includes('/rpc/search_notes')) return 'pass'
    state.begun += 1
    await new Promise<void>((resolve) => held.push(resolve))
    return 'pass'
  }
  return state
}

test('a next page of notes that is requested while the list starts again comes once, however often it is requested', async () => {
  const { data, hits, stop, untilShown } = await openListOfThreePages('saffron')
  const searches = holdSearches()
  data.invalidate('contacts')
  await vi.waitFor(() => expect(searches.begun).toBe(1), waitOptions)
  for (let time = 0; time < 3; time++) hits.read().more()
  searches.letGo()
  await untilShown(40)
  stop()
})

test('changes of two tables within a short time cause one new search of notes', async () => {
  const { data, stop, untilShown } = await openListOfThreePages('sumac')
  let requestCount = 0
  acme.browser.network.judge = (url) => {
    if (url.includes('/rpc/search_notes')) requestCount += 1
    return 'pass'
  }
  data.invalidate('contacts')
  await new Promise((resolve) => setTimeout(resolve, 50))
  data.invalidate('notes')
  await vi.waitFor(() => expect(requestCount).toBe(1), waitOptions)
  // Waits longer than the pause between two searches.
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(requestCount).toBe(1)
  await untilShown(20)
  stop()
})

test('a list that starts again while its next page is on its way keeps its pages', async () => {
  const { data, hits, stop, untilShown } = await openListOfThreePages('turmeric')
  let searches = holdSearches()
  hits.read().more()
  await vi.waitFor(() => expect(searches.begun).toBe(1), waitOptions)
  data.invalidate('notes')
  // Waits longer than the pause between two searches.
  await new Promise((resolve) => setTimeout(resolve, 300))
  searches.letGo()
  searches = holdSearches()
  await untilShown(40)
  await vi.waitFor(() => expect(searches.begun).toBe(1), waitOptions)
  hits.read().more()
  searches.letGo()
  await untilShown(45)
  stop()
})

test('the next page of notes is requested again after the server was busy', async () => {
  const { hits, stop, untilShown } = await openListOfThreePages('cumin')
  let requestCount = 0
  acme.browser.network.judge = (url) => {
    if (!url.includes('/rpc/search_notes') || requestCount > 0) return 'pass'
    requestCount += 1
    return new Response('{"message":"busy"}', { status: 503 })
  }
  hits.read().more()
  await vi.waitFor(() => expect(hits.read()).toMatchObject({ hasFailed: true, hasMore: false }), waitOptions)
  await untilShown(40)
  stop()
})

test('the next page of notes still comes after the network was lost, or after the list had no subscriber for a moment', async () => {
  const { hits, stop, untilShown } = await openListOfThreePages('fennel')
  let searches = holdSearches()
  hits.read().more()
  await vi.waitFor(() => expect(searches.begun).toBe(1), waitOptions)
  goOffline(acme)
  searches.letGo()
  await vi.waitFor(() => expect(hits.read().hasFailed).toBe(true), waitOptions)
  await goOnline(acme)
  await untilShown(40)

  searches = holdSearches()
  hits.read().more()
  await vi.waitFor(() => expect(searches.begun).toBe(1), waitOptions)
  stop()
  await new Promise((resolve) => setTimeout(resolve, 50))
  const stopAgain = hits.subscribe(() => {})
  searches.letGo()
  await untilShown(45)
  stopAgain()
})
