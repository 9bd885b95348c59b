import { randomUUID } from 'node:crypto'
import type { SupabaseClient } from '@supabase/supabase-js'
import type { PoolClient } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { signUpPerson } from '../harness/client.ts'
import { openLiveSocket } from '../harness/live-sockets.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

/** These tests check what the server does while all connections for accounts are in use. */
let server: TestServer
let client: SupabaseClient
let token: string
let brandId: string
let holders: PoolClient[] = []

beforeAll(async () => {
  server = await startTestServer()
  const person = await signUpPerson(server, 'ana@example.org')
  client = person.client
  token = person.session.access_token
  brandId = randomUUID()
  await client.from('brands').insert({ id: brandId, name: 'Acme', slug: 'acme' })
})
beforeEach(async () => {
  holders = await Promise.all(Array.from({ length: 6 }, () => server.database!.owner.connect()))
})
afterEach(() => releaseHolders())
afterAll(() => server?.stop())

function releaseHolders(): void {
  for (const holder of holders.splice(0)) holder.release()
}

function requestUser(): Promise<Response> {
  const headers = { apikey: server.publishableKey, authorization: `Bearer ${token}` }
  return fetch(`${server.url}/auth/v1/user`, { headers })
}

it('while all connections for accounts are in use, live changes still arrive, and the server is ready', async () => {
  releaseHolders()
  const socket = await openLiveSocket(server, { token, brandId, sentAt: () => performance.now() })
  holders = await Promise.all(Array.from({ length: 6 }, () => server.database!.owner.connect()))
  const { data: stage } = await client.from('deal_stages').select('id').eq('brand_id', brandId).limit(1).single()
  const { error } = await client.from('deals').insert({ brand_id: brandId, stage_id: stage?.id, name: 'Heard' })
  expect(error).toBeNull()
  await expect.poll(() => socket.received.map(({ name }) => name), { timeout: 2_000 }).toEqual(['Heard'])
  const ready = await Promise.all(Array.from({ length: 50 }, () => fetch(`${server.url}/readyz`)))
  expect(new Set(ready.map(({ status }) => status))).toEqual(new Set([200]))
  socket.close()
})

it('the queue for connections for accounts is limited: later requests get 503 with Retry-After at once', async () => {
  const { owner } = server.database!
  const queries = Array.from({ length: 300 }, () => owner.query('select 1 as one'))
  const response = await requestUser()
  expect({ status: response.status, after: response.headers.get('retry-after') }).toEqual({ status: 503, after: '1' })
  expect((await response.json()).msg).toBe('The server is busy or the database is unreachable. Try again in a moment')
  releaseHolders()
  expect(new Set((await Promise.all(queries)).map(({ rowCount }) => rowCount))).toEqual(new Set([1]))
  expect((await requestUser()).status).toBe(200)
})
