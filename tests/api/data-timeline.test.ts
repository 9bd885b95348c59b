import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addNote } from '#web/data/notes.ts'
import { readStoredTimeline } from '#web/data/stored-timeline.ts'
import { timelineView } from '#web/data/timeline.ts'
import { storeState } from '#web/data/store/store-rows.ts'
import { type Acme, dataOf, openAcme, untilSent, waitOptions } from '../harness/acme.ts'
import { query } from '../harness/query.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer
let acme: Acme
let contact: string

beforeAll(async () => {
  server = await startTestServer()
  acme = await openAcme(server)
})
afterAll(async () => {
  acme.browser.close()
  await server.stop()
})

const inDatabase = <Row>(sql: string, ...values: unknown[]) => query<Row>(server, sql, acme.brandId, ...values)

/** Creates a contact with the given number of notes, one per day, and subscribes to its timeline, as a panel does. */
async function openTimeline(notes: number) {
  const [contactRow] = await inDatabase<{ id: string }>(
    `insert into public.contacts (brand_id, first_name) values ($1, 'Zoe') returning id`,
  )
  contact = contactRow?.id ?? ''
  await inDatabase(
    `insert into public.notes (brand_id, contact_id, body, occurred_at)
     select $1, $2, 'Note ' || n, '2026-01-01'::timestamptz + n * interval '1 day' from generate_series(1, $3::int) n`,
    contact,
    notes,
  )
  await acme.tab.requestPull(acme.tab.device)
  const timeline = timelineView(dataOf(acme.tab), `contacts ${contact}`)
  const subscribe = () => timeline.subscribe(() => {})
  const bodies = () => timeline.read().entries.flatMap((entry) => (entry.kind === 'note' ? [entry.note.body] : []))
  return { timeline, bodies, subscribe, stop: subscribe() }
}

test('a timeline comes page by page, and contains the user’s own entries before they are sent, once each', async () => {
  const { timeline, bodies, stop } = await openTimeline(40)
  await vi.waitFor(() => expect(bodies()).toHaveLength(30), waitOptions)
  expect(timeline.read()).toMatchObject({ ready: true, hasMore: true, hasFailed: false })
  acme.browser.network.offline = true
  await addNote(acme.tab.device, 'contacts', contact, { kind: 'call', body: ' Called ', occurred_at: null })
  expect(bodies().slice(0, 2)).toEqual(['Called', 'Note 40'])
  acme.browser.network.offline = false
  await untilSent(acme.tab)
  timeline.read().more()
  await vi.waitFor(() => expect(bodies()).toHaveLength(41), waitOptions)
  expect(new Set(bodies()).size).toBe(41)
  expect(timeline.read().hasMore).toBe(false)
  expect(await inDatabase(`select body from public.notes where brand_id = $1 and kind = 'call'`)).toEqual([
    { body: 'Called' },
  ])
  stop()
})

test('the first page of a timeline and the later ones are requested again from a busy server after the pause that it asks for', async () => {
  let busyResponses = 1
  let requestCount = 0
  acme.browser.network.judge = (url) => {
    if (!url.includes('/rpc/timeline')) return 'pass'
    requestCount += 1
    if (requestCount > busyResponses) return 'pass'
    return new Response('{"message":"busy"}', { status: 503, headers: { 'retry-after': '1' } })
  }
  const { timeline, bodies, stop } = await openTimeline(40)
  await vi.waitFor(() => expect(bodies()).toHaveLength(30), waitOptions)
  expect(timeline.read()).toMatchObject({ ready: true, hasMore: true })
  expect(requestCount).toBe(2)
  ;[busyResponses, requestCount] = [1, 0]
  timeline.read().more()
  await vi.waitFor(() => expect(bodies()).toHaveLength(40), waitOptions)
  expect(timeline.read().hasMore).toBe(false)
  stop()
  acme.browser.network.judge = () => 'pass'
})

test('a timeline of more than 100 entries has all of them when it is opened again after a new entry, and deletes none from the device', async () => {
  const { timeline, bodies, stop } = await openTimeline(105)
  for (const count of [30, 60, 90, 105]) {
    await vi.waitFor(() => expect(bodies()).toHaveLength(count), waitOptions)
    timeline.read().more()
  }
  await addNote(acme.tab.device, 'contacts', contact, { kind: 'note', body: 'Newest', occurred_at: null })
  await untilSent(acme.tab)
  const storedEntryCount = async () => (await readStoredTimeline(dataOf(acme.tab), 'contacts', contact))?.entries.length
  await vi.waitFor(async () => expect(await storedEntryCount()).toBe(100), waitOptions)
  stop()
  // The timeline stops a moment later.
  await new Promise((resolve) => setTimeout(resolve, 50))
  const values = `($1, $2, 'From a colleague', now())`
  await inDatabase(`insert into public.notes (brand_id, contact_id, body, occurred_at) values ${values}`, contact)
  await acme.tab.requestPull(acme.tab.device)
  const notesBefore = dataOf(acme.tab).tables.notes.size
  const reopenedTimeline = timelineView(dataOf(acme.tab), `contacts ${contact}`)
  const stopAgain = reopenedTimeline.subscribe(() => {})
  await vi.waitFor(
    () => expect(reopenedTimeline.read()).toMatchObject({ ready: true, hasMore: true, hasFailed: false }),
    waitOptions,
  )
  reopenedTimeline.read().more()
  await vi.waitFor(() => expect(reopenedTimeline.read().entries.length).toBe(107), waitOptions)
  expect(reopenedTimeline.read().hasMore).toBe(false)
  expect(dataOf(acme.tab).tables.notes.size).toBe(notesBefore + 1)
  stopAgain()
})

test('a timeline has no gap when it is opened again after more new entries than a page has', async () => {
  const { bodies, stop } = await openTimeline(35)
  await vi.waitFor(() => expect(bodies()).toHaveLength(30), waitOptions)
  stop()
  await inDatabase(
    `insert into public.notes (brand_id, contact_id, body, occurred_at)
     select $1, $2, 'Later ' || n, '2026-03-01'::timestamptz + n * interval '1 day' from generate_series(1, 40) n`,
    contact,
  )
  const reopenedTimeline = timelineView(dataOf(acme.tab), `contacts ${contact}`)
  const stopAgain = reopenedTimeline.subscribe(() => {})
  const shownBodies = () =>
    reopenedTimeline.read().entries.flatMap((entry) => (entry.kind === 'note' ? [entry.note.body] : []))
  await vi.waitFor(() => expect(shownBodies()[0]).toBe('Later 40'), waitOptions)
  for (const count of [30, 60, 75]) {
    await vi.waitFor(() => expect(shownBodies()).toHaveLength(count), waitOptions)
    reopenedTimeline.read().more()
  }
  const expectedBodies = [
    ...Array.from({ length: 40 }, (_, i) => `Later ${40 - i}`),
    ...Array.from({ length: 35 }, (_, i) => `Note ${35 - i}`),
  ]
  expect(shownBodies()).toEqual(expectedBodies)
  stopAgain()
})

test('a deleted note leaves the timeline also if the device has not received the deletion', async () => {
  const { bodies, subscribe, stop } = await openTimeline(3)
  await vi.waitFor(() => expect(bodies()).toHaveLength(3), waitOptions)
  stop()
  await inDatabase(`delete from public.notes where brand_id = $1 and body = 'Note 2' and contact_id = $2`, contact)
  await inDatabase(`delete from private.tombstones where brand_id = $1 and table_name = 'notes'`)
  await new Promise((resolve) => setTimeout(resolve, 50))
  const stopAgain = subscribe()
  await vi.waitFor(() => expect(bodies()).toEqual(['Note 3', 'Note 1']), waitOptions)
  stopAgain()
})

test('a device whose rows come from an app version without notes does not fetch all notes', async () => {
  await openTimeline(5).then(({ stop }) => stop())
  const data = dataOf(acme.tab)
  const { notes: _, ...tables } = data.state.get().tables
  const before = data.tables.notes.size
  await storeState(data, { ...data.state.get(), tables })
  await inDatabase(`update public.notes set pinned = true where brand_id = $1 and contact_id = $2`, contact)
  // A pull that was already running does not contain the changed notes yet, so further pulls are requested.
  await vi.waitFor(async () => {
    await acme.tab.requestPull(acme.tab.device)
    expect(data.state.get().tables.notes?.mode).toBe('windowed')
  }, waitOptions)
  expect(data.tables.notes.size).toBe(before)
})
