import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signUpPerson } from '../harness/client.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

/** These tests call `upsert()` of the official client. Its conflict columns are the product's own keys, which nobody may update. */
let server: TestServer
let ana: SupabaseClient
const brand_id = crypto.randomUUID()

beforeAll(async () => {
  server = await startTestServer()
  ana = (await signUpPerson(server, 'ana@example.org')).client
  const { error } = await ana.from('brands').insert({ id: brand_id, name: 'Acme' })
  if (error) throw error
})
afterAll(() => server?.stop())

const nameOf = async (id: string) => (await ana.from('companies').select('name').eq('id', id).single()).data?.name

it('an upsert inserts, then merges, with select() and without', async () => {
  const id = crypto.randomUUID()
  expect(await ana.from('companies').upsert({ id, brand_id, name: 'One' })).toMatchObject({ status: 201, error: null })
  expect(await ana.from('companies').upsert({ id, brand_id, name: 'Two' })).toMatchObject({ status: 200, error: null })
  expect(await nameOf(id)).toBe('Two')
  const withThreeColumns = await ana
    .from('companies')
    .upsert({ id, brand_id, name: 'Three' })
    .select('id,name,version')
    .single()
  expect(withThreeColumns).toMatchObject({ status: 200, error: null, data: { id, name: 'Three', version: 3 } })
  const withAllColumns = await ana
    .from('companies')
    .upsert({ id, brand_id, name: 'Four' }, { onConflict: 'brand_id,id' })
    .select()
  expect(withAllColumns).toMatchObject({ status: 200, data: [{ id, brand_id, name: 'Four' }] })
})

it('an upsert accepts lists of new and known rows', async () => {
  const [knownId, addedId] = [crypto.randomUUID(), crypto.randomUUID()]
  await ana.from('companies').insert({ id: knownId, brand_id, name: 'Known' })
  const rows = [
    { id: knownId, brand_id, name: 'Known by another name' },
    { id: addedId, brand_id, name: 'Added' },
  ]
  const mixed = await ana.from('companies').upsert(rows).select('id,name')
  expect(mixed).toMatchObject({ status: 201, error: null })
  expect(mixed.data).toHaveLength(2)
  expect([await nameOf(knownId), await nameOf(addedId)]).toEqual(['Known by another name', 'Added'])
})

it('an upsert ignores duplicates on request', async () => {
  const id = crypto.randomUUID()
  await ana.from('companies').insert({ id, brand_id, name: 'First' })
  const { data, error } = await ana
    .from('companies')
    .upsert({ id, brand_id, name: 'Second' }, { ignoreDuplicates: true })
    .select()
  expect({ data, error }).toEqual({ data: [], error: null })
  expect(await nameOf(id)).toBe('First')
})

it('an upsert refuses a column that nobody may set', async () => {
  const id = crypto.randomUUID()
  const { error } = await ana.from('companies').upsert({ id, brand_id, name: 'X', created_at: '2020-01-01' })
  expect(error?.code).toBe('42501')
})

it('an upsert does not change a row of another brand', async () => {
  const { client: eve } = await signUpPerson(server, 'eve@example.org')
  const id = crypto.randomUUID()
  await ana.from('companies').insert({ id, brand_id, name: 'Ours' })
  expect((await eve.from('companies').upsert({ id, brand_id, name: 'Hers' })).error?.code).toBe('42501')
  expect(await nameOf(id)).toBe('Ours')
})
