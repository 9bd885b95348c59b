import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signUpPerson } from '../harness/client.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

/** These tests use custom fields with the official client, as docs/custom-fields.md describes. */
let server: TestServer
let ana: SupabaseClient
const brand_id = crypto.randomUUID()
const fieldIds: Record<string, string> = {}

beforeAll(async () => {
  server = await startTestServer()
  ana = (await signUpPerson(server, 'ana@example.org')).client
  await ana.from('brands').insert({ id: brand_id, name: 'Acme' }).throwOnError()
  const rows = [
    { table: 'companies', label: 'Tier', type: 'choice', options: ['Key account', 'Standard'] },
    { table: 'companies', label: 'Annual spend', type: 'money', options: [] },
    { table: 'contacts', label: 'Tier', type: 'text', options: [] },
  ]
  const { data } = await ana
    .from('custom_fields')
    .insert(rows.map((row) => ({ brand_id, ...row })))
    .select('id, key, table')
    .throwOnError()
  for (const { id, key, table } of data) fieldIds[`${table}.${key}`] = id
})
afterAll(() => server?.stop())

it('a write names custom fields by key or id and sets or removes them one by one; a read returns ids', async () => {
  const insertResponse = await ana
    .from('companies')
    .insert({ brand_id, name: 'Nordhafen', custom: { tier: 'Standard', annual_spend: 1200.5 } })
    .select('id, custom')
    .single()
  expect(insertResponse.error).toBeNull()
  const [tier, spend] = [fieldIds['companies.tier'] ?? '', fieldIds['companies.annual_spend'] ?? '']
  expect(insertResponse.data?.custom).toEqual({ [tier]: 'Standard', [spend]: 1200.5 })
  const patch = (custom: object) =>
    ana
      .from('companies')
      .update({ custom })
      .eq('brand_id', brand_id)
      .eq('id', insertResponse.data?.id)
      .select('custom')
      .single()
  expect((await patch({ [tier]: 'Key account' })).data?.custom).toEqual({ [tier]: 'Key account', [spend]: 1200.5 })
  expect((await patch({ annual_spend: null })).data?.custom).toEqual({ [tier]: 'Key account' })

  const { data } = await ana.from('custom_fields').select('id, key').eq('brand_id', brand_id).eq('table', 'companies')
  expect(data).toContainEqual({ id: tier, key: 'tier' })
})

it.each([
  [
    { annual_spend: 'a lot' },
    'The field "Annual spend" takes a number below 1,000,000,000,000 with at most 2 decimals.',
  ],
  [{ tier: 'Gold' }, 'The field "Tier" takes the id of one of its options.'],
  [{ tier: ['Standard'] }, 'The field "Tier" takes the id of one of its options.'],
  [{ region: 'North' }, 'There is no field region for companies.'],
])('%j is refused with a sentence that names the field', async (custom, message) => {
  const { error, status } = await ana.from('companies').insert({ brand_id, name: 'Refused', custom })
  expect(status).toBe(400)
  expect(error).toMatchObject({ code: '22023', message })
})

it('an import accepts the keys of custom fields, and reports the values that it left out', async () => {
  const p_rows = [{ row: 2, email: 'mei@copperline.example', custom: { tier: 'Gold', annual_spend: 5 } }]
  const { data } = await ana.rpc('import_contacts', { p_brand_id: brand_id, p_import_id: crypto.randomUUID(), p_rows })
  expect(data).toMatchObject([
    { status: 'created', left_out_values: [{ field: 'annual_spend', reason: 'There is no such field.' }] },
  ])
  const { data: contact } = await ana.from('contacts').select('custom').eq('brand_id', brand_id).single()
  expect(contact?.custom).toEqual({ [fieldIds['contacts.tier'] ?? '']: 'Gold' })
})
