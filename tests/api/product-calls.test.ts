import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { officialClient } from '../harness/client.ts'

/** These tests send the calls of spec section 7 with the official client. Ana owns Acme, Bo is a member, Eve is an outsider. */
let server: TestServer
let ana: SupabaseClient
let bo: SupabaseClient
let eve: SupabaseClient
let anaId: string
let brandId: string
let stages: { id: string; name: string }[]

beforeAll(async () => {
  server = await startTestServer()
  ;[{ client: ana, id: anaId }, { client: bo }, { client: eve }] = (await Promise.all(
    ['ana', 'bo', 'eve'].map(signUp),
  )) as [Person, Person, Person]
  const { error } = await ana.from('brands').insert({ id: (brandId = crypto.randomUUID()), name: 'Acme', slug: 'acme' })
  if (error) throw new Error(error.message)
  await ana.rpc('add_brand_member_by_email', { p_brand_id: brandId, p_email: 'bo@example.org', p_role: 'member' })
  stages = (await ana.from('deal_stages').select('*').eq('brand_id', brandId).order('position')).data ?? []
})
afterAll(() => server?.stop())

interface Person {
  client: SupabaseClient
  id: string
}

async function signUp(name: string): Promise<Person> {
  const client = officialClient(server.url, server.publishableKey)
  const { data, error } = await client.auth.signUp({ email: `${name}@example.org`, password: 'correct horse' })
  if (error || !data.user) throw error ?? new Error('no user')
  return { client, id: data.user.id }
}

describe('memberships and brands', () => {
  it('spec 7: memberships: select all with the brand, filtered by user_id', async () => {
    const { data } = await ana.from('memberships').select('*, brands(*)').eq('user_id', anaId)
    expect(data).toMatchObject([
      { user_id: anaId, brand_id: brandId, role: 'owner', brands: { id: brandId, name: 'Acme', slug: 'acme' } },
    ])
    expect((await eve.from('memberships').select('*, brands(*)')).data).toEqual([])
  })

  it('spec 7: brands: insert name, slug', async () => {
    expect(await ana.from('brands').insert({ name: 'Second  Brand!', slug: 'second-brand-' })).toMatchObject({
      status: 201,
      error: null,
    })
    const { data } = await ana
      .from('memberships')
      .select('role, brand:brands!inner(name, slug)')
      .eq('brand.name', 'Second  Brand!')
    expect(data).toEqual([{ role: 'owner', brand: { name: 'Second  Brand!', slug: 'second-brand-' } }])
    const duplicate = await eve.from('brands').insert({ name: 'Acme', slug: 'acme' })
    expect(duplicate).toMatchObject({ status: 409, error: { code: '23505' } })
    expect(duplicate.error?.message).toContain('duplicate key value')
  })
})

describe('the pipeline', () => {
  it('spec 7: deal_stages: select all ordered by position', () => {
    expect(stages.map((stage) => stage.name)).toEqual([
      'Incoming',
      'Qualified',
      'Proposal',
      'Verbal Yes',
      'Won',
      'Lost',
    ])
  })

  it('spec 7: deals: insert, select with joined contacts and companies, update stage_id by id', async () => {
    const { data: contactId } = await ana.rpc('upsert_contact', {
      p_brand_id: brandId,
      p_email: 'kim@globex.example',
      p_first: 'Kim',
      p_last: 'Ng',
      p_company_name: 'Globex',
    })
    const { data: company } = await ana
      .from('companies')
      .select('id')
      .eq('brand_id', brandId)
      .eq('name', 'Globex')
      .single()
    const deal = {
      brand_id: brandId,
      name: 'Big one',
      amount: 1234.5,
      stage_id: stages[0]?.id,
      expected_close_date: '2026-12-24',
      contact_id: contactId,
      company_id: company?.id,
    }
    expect(await bo.from('deals').insert(deal)).toMatchObject({ status: 201, error: null })
    const joined =
      'id, name, amount, amount_currency, expected_close_date, contacts(first_name, last_name), companies(name)'
    const { data } = await ana.from('deals').select(joined).eq('brand_id', brandId)
    expect(data).toEqual([
      {
        id: expect.any(String),
        name: 'Big one',
        amount: 1234.5,
        amount_currency: 'GBP',
        expected_close_date: '2026-12-24',
        contacts: { first_name: 'Kim', last_name: 'Ng' },
        companies: { name: 'Globex' },
      },
    ])
    const [{ id }] = data as unknown as [{ id: string }]
    expect(await bo.from('deals').update({ stage_id: stages[1]?.id }).eq('id', id)).toMatchObject({ status: 204 })
    const movedDeal = await ana.from('deals').select('stage_id').eq('id', id).single()
    expect(movedDeal.data).toEqual({ stage_id: stages[1]?.id })
    expect((await eve.from('deals').update({ stage_id: stages[2]?.id }).eq('id', id).select()).data).toEqual([])
  })

  it('spec 7: deals: select amount with count; select id, name ordered by name', async () => {
    const { data, count } = await ana.from('deals').select('amount', { count: 'exact' }).eq('brand_id', brandId)
    expect({ data, count }).toEqual({ data: [{ amount: 1234.5 }], count: 1 })
    expect((await ana.from('deals').select('id, name').eq('brand_id', brandId).order('name')).data).toMatchObject([
      { name: 'Big one' },
    ])
    expect(await eve.from('deals').select('amount', { count: 'exact' })).toMatchObject({ data: [], count: 0 })
  })

  it('spec 7: RPC quick_create_deal', async () => {
    const { data: id } = await ana.rpc('quick_create_deal', {
      p_brand_id: brandId,
      p_name: 'New Deal - Proposal',
      p_stage_id: stages[2]?.id,
    })
    expect((await bo.from('deals').select('name, stage_id').eq('id', id).single()).data).toEqual({
      name: 'New Deal - Proposal',
      stage_id: stages[2]?.id,
    })
    const refusedCall = await eve.rpc('quick_create_deal', {
      p_brand_id: brandId,
      p_name: 'x',
      p_stage_id: stages[2]?.id,
    })
    expect(refusedCall).toMatchObject({ status: 400, error: { code: 'P0001', message: 'NOT_AUTHORIZED' } })
  })
})

describe('contacts, companies, tasks', () => {
  it('spec 7: RPC upsert_contact, used once per CSV row', async () => {
    const row = {
      p_brand_id: brandId,
      p_email: ' Lee@Initech.example ',
      p_first: 'Lee',
      p_last: null,
      p_company_name: 'initech',
    }
    const first = await ana.rpc('upsert_contact', row)
    const second = await bo.rpc('upsert_contact', {
      ...row,
      p_email: 'lee@INITECH.example',
      p_first: null,
      p_last: 'Wu',
    })
    expect(second.data).toBe(first.data)
    const { data } = await ana
      .from('contacts')
      .select('first_name, last_name, email, companies(name)')
      .eq('id', first.data)
      .single()
    expect(data).toMatchObject({ first_name: 'Lee', last_name: 'Wu', companies: { name: 'initech' } })
    expect((await eve.rpc('upsert_contact', row)).error).toMatchObject({ code: 'P0001', message: 'NOT_AUTHORIZED' })
  })

  it('spec 7: contacts: id with count; id, names, email ordered by first_name; full list with company name', async () => {
    expect(
      await ana.from('contacts').select('id', { count: 'exact', head: true }).eq('brand_id', brandId),
    ).toMatchObject({ count: 2 })
    const short = await ana
      .from('contacts')
      .select('id, first_name, last_name, email')
      .eq('brand_id', brandId)
      .order('first_name')
    expect(short.data?.map((contact) => contact.first_name)).toEqual(['Kim', 'Lee'])
    const contactsWithCompanies = await ana
      .from('contacts')
      .select('*, companies(name)')
      .eq('brand_id', brandId)
      .order('created_at', { ascending: false })
    expect(contactsWithCompanies.data?.map((contact) => contact.companies?.name)).toEqual(['initech', 'Globex'])
  })

  it('spec 7: companies: insert; id with count; id, name ordered by name; full list', async () => {
    const company = {
      brand_id: brandId,
      name: 'Umbrella',
      domain: 'umbrella.example',
      phone: null,
      website: null,
      notes: 'two\nlines',
    }
    expect(await bo.from('companies').insert(company)).toMatchObject({ status: 201 })
    expect(await ana.from('companies').select('id', { count: 'exact' }).eq('brand_id', brandId)).toMatchObject({
      count: 3,
    })
    const names = await ana.from('companies').select('id, name').eq('brand_id', brandId).order('name')
    expect(names.data?.map((row) => row.name)).toEqual(['Globex', 'initech', 'Umbrella'])
    const companies = await ana
      .from('companies')
      .select('*')
      .eq('brand_id', brandId)
      .order('created_at', { ascending: false })
    expect(companies.data?.[0]).toMatchObject(company)
    expect(await eve.from('companies').insert(company)).toMatchObject({ status: 403, error: { code: '42501' } })
  })

  it('spec 7: tasks: insert, select with contacts and deals ordered by due_at ascending, nulls last; update status', async () => {
    const { data: deal } = await ana.from('deals').select('id').eq('name', 'Big one').single()
    const { data: contact } = await ana.from('contacts').select('id').eq('first_name', 'Kim').single()
    const task = { brand_id: brandId, priority: 'normal', status: 'open', contact_id: contact?.id, deal_id: deal?.id }
    await ana.from('tasks').insert({ ...task, title: 'Some day', due_at: null })
    await ana.from('tasks').insert({ ...task, title: 'Call', due_at: '2026-11-23T09:00:00Z' })
    const { data } = await bo
      .from('tasks')
      .select('*, contacts(first_name, last_name), deals(name)')
      .eq('brand_id', brandId)
      .order('due_at', { ascending: true, nullsFirst: false })
    expect(data).toMatchObject([
      {
        title: 'Call',
        due_at: '2026-11-23T09:00:00+00:00',
        contacts: { first_name: 'Kim' },
        deals: { name: 'Big one' },
      },
      { title: 'Some day', due_at: null, status: 'open' },
    ])
    await bo.from('tasks').update({ status: 'done' }).eq('id', data?.[0]?.id)
    const { data: statuses } = await ana.from('tasks').select('due_at, status').eq('brand_id', brandId).order('due_at')
    expect(statuses?.map((row) => row.status)).toEqual(['done', 'open'])
  })
})

describe('members', () => {
  it('spec 7: RPC list_brand_members and add_brand_member_by_email', async () => {
    const { data } = await ana.rpc('list_brand_members', { p_brand_id: brandId })
    expect(data).toHaveLength(2)
    expect(data).toContainEqual(
      expect.objectContaining({
        user_id: anaId,
        email: 'ana@example.org',
        role: 'owner',
        created_at: expect.any(String),
      }),
    )
    const args = { p_brand_id: brandId, p_email: 'eve@example.org', p_role: 'member' }
    expect((await bo.rpc('add_brand_member_by_email', args)).error).toMatchObject({
      code: 'P0001',
      message: 'NOT_AUTHORIZED',
    })
    const unknown = await ana.rpc('add_brand_member_by_email', { ...args, p_email: 'nobody@example.org' })
    expect(unknown.error).toMatchObject({ code: 'P0001', message: 'USER_NOT_FOUND' })
  })

  it('an idempotency key that was applied before gets 409, and the table and id of the row', async () => {
    const id = crypto.randomUUID()
    const insert = () =>
      ana.from('companies').insert({ id, brand_id: brandId, name: 'Once' }).setHeader('Idempotency-Key', `key-${id}`)
    expect((await insert()).status).toBe(201)
    const repetition = await insert()
    expect(repetition).toMatchObject({ status: 409, error: { code: 'PT409' } })
    expect(JSON.parse(repetition.error?.details ?? '{}')).toEqual({ table: 'companies', id })
  })
})
