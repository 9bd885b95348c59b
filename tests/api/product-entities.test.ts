import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { officialClient } from '../harness/client.ts'

/** The tests of spec section 3 read its entities with the official client: each field, its type, and whether it may be empty. */
let server: TestServer
let ana: SupabaseClient
let brandId: string
let stageId: string

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/)

beforeAll(async () => {
  server = await startTestServer()
  ana = officialClient(server.url, server.publishableKey)
  const { error } = await ana.auth.signUp({ email: 'ana@example.org', password: 'correct horse' })
  if (error) throw error
  brandId = crypto.randomUUID()
  await insertRow('brands', { id: brandId, name: 'Acme & Söhne', slug: 'whatever' })
  stageId = (await readOne('deal_stages', 'id', { name: 'Incoming' }))['id'] as string
})
afterAll(() => server?.stop())

async function insertRow(table: string, row: Record<string, unknown>): Promise<void> {
  const { error } = await ana.from(table).insert(row)
  if (error) throw new Error(`${table}: ${error.message}`)
}

async function readOne(
  table: string,
  select: string,
  match: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { data, error } = await ana.from(table).select(select).match(match).single()
  if (error) throw new Error(`${table}: ${error.message}`)
  return data as unknown as Record<string, unknown>
}

it('spec 3: brand: id, name, slug', async () => {
  expect(await readOne('brands', 'id, name, slug', { id: brandId })).toEqual({
    id: brandId,
    name: 'Acme & Söhne',
    slug: 'acme-söhne',
  })
})

it('spec 3: membership: user_id, brand_id, role, brand.', async () => {
  const { data } = await ana.auth.getUser()
  expect(
    await readOne('memberships', 'user_id, brand_id, role, brand:brands(id, name, slug)', { brand_id: brandId }),
  ).toEqual({
    user_id: data.user?.id,
    brand_id: brandId,
    role: 'owner',
    brand: { id: brandId, name: 'Acme & Söhne', slug: 'acme-söhne' },
  })
})

it('spec 3: deal_stage: id, brand_id, name, position.', async () => {
  expect(await readOne('deal_stages', 'id, brand_id, name, position', { id: stageId })).toEqual({
    id: stageId,
    brand_id: brandId,
    name: 'Incoming',
    position: 1,
  })
})

const dealFields =
  'id, brand_id, name, amount, amount_currency, stage_id, expected_close_date, contact_id, company_id, contacts(first_name, last_name), companies(name)'

it('spec 3: deal: id, brand_id, name, amount (number), amount_currency, stage_id, expected_close_date (nullable), contact_id (nullable), company_id (nullable); joined contact (first_name, last_name) and company (name).', async () => {
  const [contact_id, company_id] = [crypto.randomUUID(), crypto.randomUUID()]
  await insertRow('companies', { id: company_id, brand_id: brandId, name: 'Globex' })
  await insertRow('contacts', {
    id: contact_id,
    brand_id: brandId,
    email: 'kim@globex.example',
    first_name: 'Kim',
    last_name: 'Ng',
  })
  const fullDeal = {
    brand_id: brandId,
    name: 'Full',
    amount: 1234.5,
    amount_currency: 'EUR',
    stage_id: stageId,
    expected_close_date: '2026-12-24',
    contact_id,
    company_id,
  }
  await insertRow('deals', fullDeal)
  const joinedRows = { contacts: { first_name: 'Kim', last_name: 'Ng' }, companies: { name: 'Globex' } }
  expect(await readOne('deals', dealFields, { name: 'Full' })).toEqual({ id: uuid, ...fullDeal, ...joinedRows })
  await insertRow('deals', { brand_id: brandId, name: 'Bare', stage_id: stageId })
  const emptyFields = { expected_close_date: null, contact_id: null, company_id: null, contacts: null, companies: null }
  const bareDeal = { id: uuid, brand_id: brandId, name: 'Bare', amount: 0, amount_currency: 'GBP', stage_id: stageId }
  expect(await readOne('deals', dealFields, { name: 'Bare' })).toEqual({ ...bareDeal, ...emptyFields })
})

it('spec 3: contact: id, brand_id, first_name, last_name, email, phone, title, created_at; joined company name.', async () => {
  const company_id = crypto.randomUUID()
  await insertRow('companies', { id: company_id, brand_id: brandId, name: 'Initech' })
  const contact = {
    brand_id: brandId,
    first_name: 'Peter',
    last_name: 'Gibbons',
    email: 'peter@initech.example',
    phone: '+44 20 7946 0000',
    title: 'Engineer',
  }
  await insertRow('contacts', { ...contact, company_id })
  const fields = `id, created_at, ${Object.keys(contact).join(', ')}, companies(name)`
  expect(await readOne('contacts', fields, { email: contact.email })).toEqual({
    id: uuid,
    created_at: moment,
    ...contact,
    companies: { name: 'Initech' },
  })
})

it('spec 3: company: id, brand_id, name, domain, phone, website, notes, created_at.', async () => {
  const company = {
    brand_id: brandId,
    name: 'Hooli',
    domain: 'hooli.example',
    phone: '+1 555 0100',
    website: 'https://hooli.example/',
    notes: 'Two\nlines',
  }
  await insertRow('companies', company)
  expect(await readOne('companies', `id, created_at, ${Object.keys(company).join(', ')}`, { name: 'Hooli' })).toEqual({
    id: uuid,
    created_at: moment,
    ...company,
  })
})

it('spec 3: task: id, brand_id, title, due_at (nullable datetime), priority, status (open, done), contact_id (nullable), deal_id (nullable); joined contact names and deal name.', async () => {
  const fields =
    'id, brand_id, title, due_at, priority, status, contact_id, deal_id, contacts(first_name, last_name), deals(name)'
  await insertRow('tasks', { brand_id: brandId, title: 'Bare' })
  expect(await readOne('tasks', fields, { title: 'Bare' })).toEqual({
    id: uuid,
    brand_id: brandId,
    title: 'Bare',
    due_at: null,
    priority: 'normal',
    status: 'open',
    contact_id: null,
    deal_id: null,
    contacts: null,
    deals: null,
  })
  const contact_id = crypto.randomUUID()
  const deal_id = crypto.randomUUID()
  await insertRow('contacts', { id: contact_id, brand_id: brandId, email: 'lee@acme.example', first_name: 'Lee' })
  await insertRow('deals', { id: deal_id, brand_id: brandId, name: 'Renewal', stage_id: stageId })
  const task = { brand_id: brandId, title: 'Call', due_at: '2026-12-01T09:30:00+00:00', priority: 'urgent' }
  await insertRow('tasks', { ...task, status: 'done', contact_id, deal_id })
  expect(await readOne('tasks', fields, { title: 'Call' })).toEqual({
    id: uuid,
    ...task,
    status: 'done',
    contact_id,
    deal_id,
    contacts: { first_name: 'Lee', last_name: null },
    deals: { name: 'Renewal' },
  })
  const { error } = await ana.from('tasks').insert({ brand_id: brandId, title: 'Odd', status: 'waiting' })
  expect(error?.code).toBe('23514')
})

it('spec 3: brand member (from a listing): user_id, email, role, created_at.', async () => {
  const { data } = await ana.rpc('list_brand_members', { p_brand_id: brandId })
  expect(data).toEqual([{ user_id: uuid, email: 'ana@example.org', role: 'owner', created_at: moment }])
})

it('spec 3: Session has access_token, refresh_token, expires_at, expires_in. (spec 7: sign in with password)', async () => {
  const client = officialClient(server.url, server.publishableKey)
  const { data } = await client.auth.signInWithPassword({ email: 'ana@example.org', password: 'correct horse' })
  const { access_token, refresh_token, expires_at, expires_in } = data.session ?? {}
  expect(access_token?.split('.')).toHaveLength(3)
  expect(refresh_token).toEqual(expect.stringMatching(/^\S{12,}$/))
  expect(expires_in).toBe(3600)
  expect(Math.abs((expires_at ?? 0) - Date.now() / 1000 - 3600)).toBeLessThan(30)
})

it('spec 7: sign in with password (email, password)', async () => {
  const client = officialClient(server.url, server.publishableKey)
  const wrongSignIn = await client.auth.signInWithPassword({ email: 'ana@example.org', password: 'wrong horse' })
  expect(wrongSignIn.error).toMatchObject({ status: 400, code: 'invalid_credentials' })
  const rightSignIn = await client.auth.signInWithPassword({ email: 'Ana@Example.org', password: 'correct horse' })
  expect(rightSignIn.data.user?.email).toBe('ana@example.org')
})

it('spec 7: sign out; get session; listen for auth changes.', async () => {
  const client = officialClient(server.url, server.publishableKey)
  const events: string[] = []
  client.auth.onAuthStateChange((event) => void events.push(event))
  await client.auth.signInWithPassword({ email: 'ana@example.org', password: 'correct horse' })
  const { data } = await client.auth.getSession()
  expect(data.session?.user.email).toBe('ana@example.org')
  expect(await client.auth.signOut()).toEqual({ error: null })
  expect((await client.auth.getSession()).data.session).toBeNull()
  expect(events).toEqual(expect.arrayContaining(['INITIAL_SESSION', 'SIGNED_IN', 'SIGNED_OUT']))
  const refreshAfterSignOut = await client.auth.refreshSession({ refresh_token: data.session?.refresh_token ?? '' })
  expect(refreshAfterSignOut.error).toMatchObject({ status: 400 })
})

it('spec 7: GET /.well-known/jwks.json.', async () => {
  for (const path of ['/auth/v1/.well-known/jwks.json', '/.well-known/jwks.json']) {
    const response = await fetch(server.url + path)
    expect(response.status).toBe(200)
    const { keys } = (await response.json()) as { keys: Record<string, unknown>[] }
    expect(keys[0]).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', kid: expect.any(String) })
    expect(keys.every((key) => !('d' in key))).toBe(true)
  }
  const { data } = await ana.auth.getClaims()
  expect(data?.claims).toMatchObject({ role: 'authenticated', email: 'ana@example.org' })
})
