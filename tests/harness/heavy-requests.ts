import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { SupabaseClient } from '@supabase/supabase-js'

interface Server {
  url: string
  publishableKey: string
}

/** A person with a brand, and a company whose notes make a regular expression slow. */
export async function heavyPerson(server: Server, client: SupabaseClient) {
  const brandId = randomUUID()
  const companyId = randomUUID()
  await must(client.from('brands').insert({ id: brandId, name: brandId, slug: brandId }))
  const notes = 'a'.repeat(301)
  await must(client.from('companies').insert({ id: companyId, brand_id: brandId, name: 'Acme', notes }))
  await must(client.from('contacts').insert({ brand_id: brandId, first_name: 'Ann', title: 'a'.repeat(199) }))
  const token = (await client.auth.getSession()).data.session?.access_token ?? ''
  const headers = { apikey: server.publishableKey, authorization: `Bearer ${token}` }
  return { client, brandId, companyId, headers }
}

export type HeavyPerson = Awaited<ReturnType<typeof heavyPerson>>

/**
 * A query that runs until its timeout: a regular expression with exponential backtracking. `turn` chooses among
 * four kinds of request, like an attacker who wants all connections.
 */
export function slowRead(server: Server, person: HeavyPerson, turn: number, signal?: AbortSignal): Promise<number> {
  const { brandId, headers } = person
  const [table, column] = turn % 2 === 0 ? ['companies', 'notes'] : ['contacts', 'title']
  const method = turn % 4 < 2 ? 'GET' : 'HEAD'
  const pattern = encodeURIComponent('^(a+)(a+)(a+)\\3\\1\\2$')
  const target = `${server.url}/rest/v1/${table}?select=id&brand_id=eq.${brandId}&${column}=match.${pattern}`
  return answered(fetch(target, { method, headers, signal: signal ?? null }))
}

/** A read that waits until `whileHeld` ends, without using the processor. `turn` as in `slowRead`. */
export function heldRead(server: Server, person: HeavyPerson, turn: number, signal?: AbortSignal): Promise<number> {
  const { brandId, headers } = person
  const table = turn % 2 === 0 ? 'companies' : 'contacts'
  const target = `${server.url}/rest/v1/${table}?select=id&brand_id=eq.${brandId}`
  return answered(fetch(target, { method: turn % 4 < 2 ? 'GET' : 'HEAD', headers, signal: signal ?? null }))
}

/** Holds what `heldRead` reads while `work` runs. */
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

/** A write with a key: others with the same key wait for it. */
export function keyedWrite(server: Server, person: HeavyPerson, key: string, name: string): Promise<number> {
  const { brandId, companyId, headers } = person
  return answered(
    fetch(`${server.url}/rest/v1/companies?brand_id=eq.${brandId}&id=eq.${companyId}`, {
      method: 'PATCH',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ name }),
    }),
  )
}

async function answered(asked: Promise<Response>): Promise<number> {
  try {
    const response = await asked
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}

async function must(asked: PromiseLike<{ error: { message: string } | null }>): Promise<void> {
  const { error } = await asked
  if (error) throw new Error(error.message)
}
