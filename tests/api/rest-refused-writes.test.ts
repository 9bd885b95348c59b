import type { Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { rawConnection } from '../harness/raw-http.ts'
import { type Library, startLibrary } from './book-library-server.ts'

let library: Library
let token: string
let unreadSockets: Socket[]

beforeAll(async () => {
  library = await startLibrary()
  token = (await library.reader.auth.getSession()).data.session?.access_token ?? ''
  await library.owner.query(`
    create table public.boxes (id int primary key, content text);
    create function public.blob(bytes int) returns json language sql stable as $$ select ('"' || repeat('x', bytes) || '"')::json $$;
    create function public.add_boxes(first int, bytes int) returns json language sql as $$
      with added as (insert into public.boxes select i, repeat('b', bytes) from generate_series(first, first + 2) as i returning *)
      select json_agg(added) from added $$;
    grant select, insert, update, delete on public.boxes to authenticated;
    notify pgrst`)
  await library.reader.from('boxes').select('id').limit(1)
  // Three responses that nobody reads use all of the user's share of 48 MiB, except about 30 kB.
  unreadSockets = [20_000_000, 20_000_000, 10_300_000].map((bytes) =>
    rawConnection(library.server.url, blob(bytes)).pause(),
  )
  await vi.waitUntil(async () => (await heldBytes()) > 50_300_000, { timeout: 10_000 })
})
afterAll(async () => {
  for (const socket of unreadSockets) socket.destroy()
  await library.stop()
})

beforeEach(async () => {
  await library.owner.query(
    "truncate public.boxes; insert into public.boxes select -i, repeat('b', 20000) from generate_series(1, 3) as i",
  )
})

const headers = () => ({
  apikey: library.server.publishableKey,
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
})

const blob = (bytes: number) => rawRequest('POST', 'rpc/blob', { bytes })

function rawRequest(method: string, target: string, content: object): string {
  const allHeaders = { ...headers(), prefer: 'return=representation' }
  const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}\r\n`)
  const body = JSON.stringify(content)
  return `${method} /rest/v1/${target} HTTP/1.1\r\nHost: x\r\n${lines.join('')}Content-Length: ${body.length}\r\n\r\n${body}`
}

async function heldBytes(): Promise<number> {
  const text = await (await fetch(`${library.server.url}/metrics`)).text()
  return Number(/^banyan_answers_on_their_way_bytes (\d+)$/m.exec(text)?.[1])
}

function write(method: string, target: string, body: unknown, more: Record<string, string> = {}) {
  const allHeaders = { ...headers(), prefer: 'return=representation', ...more }
  return fetch(`${library.server.url}/rest/v1/${target}`, { method, headers: allHeaders, body: JSON.stringify(body) })
}

async function storedBoxes(): Promise<string[]> {
  const { rows } = await library.owner.query('select id, left(content, 1) as start from public.boxes order by id')
  return rows.map(({ id, start }) => `${id} ${start}`)
}

/** Three boxes, whose response of 60 kB fits into the buffers of PostgreSQL's socket but not into what is left of the user's share. */
const newBoxes = [1, 2, 3].map((id) => ({ id, content: 'n'.repeat(20_000) }))

it.each<[string, () => Promise<Response>]>([
  ['an insert', () => write('POST', 'boxes', newBoxes)],
  ['an insert with an idempotency key', () => write('POST', 'boxes', newBoxes, { 'idempotency-key': 'k' })],
  [
    'an upsert',
    () =>
      write('POST', 'boxes?on_conflict=id', newBoxes, { prefer: 'return=representation,resolution=merge-duplicates' }),
  ],
  ['an update', () => write('PATCH', 'boxes?id=lt.0', { content: 'u'.repeat(20_000) })],
  ['a delete', () => write('DELETE', 'boxes?id=lt.0', undefined)],
  ['a function that writes', () => write('POST', 'rpc/add_boxes', { first: 1, bytes: 20_000 })],
])('%s whose response finds no memory is refused with 503, and changes nothing', async (_name, send) => {
  const before = await storedBoxes()
  const response = await send()
  expect(response.status).toBe(503)
  expect((await response.json()).message).toContain('Too many large responses are being sent')
  expect(await storedBoxes()).toEqual(before)
})

it('a write of a single row is never refused after its commit: it may exceed the user’s share, and then the next one is refused before it runs', async () => {
  const content = 's'.repeat(40_000)
  const insert = () => write('POST', 'boxes', { id: 7, content })
  const update = () => write('PATCH', 'boxes?id=eq.7', { content: 'u'.repeat(40_000) })
  for (const [send, status, start] of [
    [insert, 201, 's'],
    [update, 200, 'u'],
  ] as const) {
    expect((await send()).status).toBe(status)
    expect(await storedBoxes()).toContain(`7 ${start}`)
  }
  const copies = await write('PATCH', 'boxes?id=eq.7&select=a:content,b:content', { content: 'c'.repeat(40_000) })
  expect(copies.status).toBe(503)
  expect(await storedBoxes()).toContain('7 u')

  await library.owner.query("insert into public.boxes values (8, repeat('x', 20000000))")
  const socket = rawConnection(library.server.url, rawRequest('PATCH', 'boxes?id=eq.8', { id: 8 })).pause()
  await vi.waitUntil(async () => (await heldBytes()) > 60_000_000, { timeout: 10_000 })
  expect((await write('POST', 'boxes', { id: 9, content: '' })).status).toBe(503)
  expect(await storedBoxes()).not.toContain('9 ')
  socket.destroy()
  await vi.waitUntil(async () => (await heldBytes()) < 60_000_000, { timeout: 10_000 })
})

it('a write with a small response succeeds although the user’s share of memory is used', async () => {
  const response = await write('POST', 'rpc/add_boxes', { first: 10, bytes: 10 })
  expect(response.status).toBe(200)
  expect(await response.json()).toHaveLength(3)
})
