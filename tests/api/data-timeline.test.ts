import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addNote } from '#web/data/notes.ts'
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
  const [created] = await inDatabase<{ id: string }>(
    `insert into public.contacts (brand_id, first_name) values ($1, 'Zoe') returning id`,
  )
  contact = created?.id ?? ''
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
  expect(timeline.read()).toMatchObject({ ready: true, hasMore: true, partial: false })
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
