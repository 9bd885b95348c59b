import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { SupabaseClient } from '@supabase/supabase-js'

interface Server {
  url: string
  publishableKey: string
}

/** Creates a brand with a company and a contact whose texts make the regular expression of `slowRead` slow. `client`: a signed-in user. */
export async function createHeavyBrand(server: Server, client: SupabaseClient) {
  const brandId = randomUUID()
  const companyId = randomUUID()
  await throwIfRefused(client.from('brands').insert({ id: brandId, name: brandId, slug: brandId }))
  const notes = 'a'.repeat(301)
  await throwIfRefused(client.from('companies').insert({ id: companyId, brand_id: brandId, name: 'Acme', notes }))
  await throwIfRefused(client.from('contacts').insert({ brand_id: brandId, first_name: 'Ann', title: 'a'.repeat(199) }))
  const token = (await client.auth.getSession()).data.session?.access_token ?? ''
  const headers = { apikey: server.publishableKey, authorization: `Bearer ${token}` }
  return { client, brandId, companyId, headers }
}

/** The brand of `createHeavyBrand`, with the client and the headers of its user. */
export type HeavyPerson = Awaited<ReturnType<typeof createHeavyBrand>>

/**
 * Sends a query that runs until its timeout: a regular expression with exponential backtracking. `turn` selects one of four kinds of request (two
 * tables, GET or HEAD), because an attacker who wants all connections varies the requests. Returns the status; 0 without a response.
 */
export function slowRead(server: Server, person: HeavyPerson, turn: number, signal?: AbortSignal): Promise<number> {
  const { brandId, headers } = person
  const [table, column] = turn % 2 === 0 ? ['companies', 'notes'] : ['contacts', 'title']
  const method = turn % 4 < 2 ? 'GET' : 'HEAD'
  const pattern = encodeURIComponent('^(a+)(a+)(a+)\\3\\1\\2$')
  const target = `${server.url}/rest/v1/${table}?select=id&brand_id=eq.${brandId}&${column}=match.${pattern}`
  return statusOf(fetch(target, { method, headers, signal: signal ?? null }))
}

/**
 * Sends a read that waits, without using the processor, until `whileHeld` ends. `turn`: as in `slowRead`. Returns the status; 0 without a
 * response.
 */
export function heldRead(server: Server, person: HeavyPerson, turn: number, signal?: AbortSignal): Promise<number> {
  const { brandId, headers } = person
  const table = turn % 2 === 0 ? 'companies' : 'contacts'
  const target = `${server.url}/rest/v1/${table}?select=id&brand_id=eq.${brandId}`
  return statusOf(fetch(target, { method: turn % 4 < 2 ? 'GET' : 'HEAD', headers, signal: signal ?? null }))
}

/** Locks the tables that `heldRead` reads, while `work` runs. */
export async function whileHeld<T>(owner: pg.Pool, work: () => Promise<T>): Promise<T> {
  const holder = await owner.connect()
  try {
    await holder.query('begin')
    await holder.query('lock table public.companies, public.contacts')
    return await work()
  } finally {
    await holder.query('rollback')
    holder.release()
  }
}

/** Sends a write with an idempotency key: other writes with the same key wait for it. Returns the status; 0 without a response. */
export function keyedWrite(server: Server, person: HeavyPerson, key: string, name: string): Promise<number> {
  const { brandId, companyId, headers } = person
  return statusOf(
    fetch(`${server.url}/rest/v1/companies?brand_id=eq.${brandId}&id=eq.${companyId}`, {
      method: 'PATCH',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ name }),
    }),
  )
}

async function statusOf(request: Promise<Response>): Promise<number> {
  try {
    const response = await request
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}

async function throwIfRefused(request: PromiseLike<{ error: { message: string } | null }>): Promise<void> {
  const { error } = await request
  if (error) throw new Error(error.message)
}
