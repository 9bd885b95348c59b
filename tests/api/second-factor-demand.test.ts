import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signUpPerson, testClient } from '../harness/client.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { totpCode } from '../harness/totp.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

/** Enrols and verifies an authenticator app. Returns the id of this factor. */
async function proveApp(client: SupabaseClient): Promise<string> {
  const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })
  await client.auth.mfa.challengeAndVerify({ factorId: data?.id ?? '', code: totpCode(data?.totp.secret ?? '') })
  return data?.id ?? ''
}

it('a brand that demands a second factor shows nothing over REST and RPC to a session with a password alone, and everything after the factor', async () => {
  const ana = await signUpPerson(server, 'ana@example.com')
  await proveApp(ana.client)
  const bo = await signUpPerson(server, 'bo@example.com')
  const brand = crypto.randomUUID()
  await ana.client.from('brands').insert({ id: brand, name: 'Vault' })
  await ana.client.rpc('add_brand_member_by_email', { p_brand_id: brand, p_email: 'bo@example.com', p_role: 'admin' })
  await ana.client.rpc('upsert_contact', { p_brand_id: brand, p_email: 'zoe@example.com', p_company_name: 'Borealis' })
  await ana.client.from('tasks').insert({ brand_id: brand, title: 'Call' })
  const { data: stages } = await ana.client.from('deal_stages').select('id').limit(1)
  await ana.client.rpc('quick_create_deal', { p_brand_id: brand, p_name: 'Big', p_stage_id: stages?.[0]?.id })

  // This session is at aal1, and its user has no factor yet.
  const clientOfBo = bo.client
  const tables = (
    await server.database!.owner.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
    )
  ).rows.map(({ name }) => name)
  const counts = async () =>
    Object.fromEntries(
      await Promise.all(
        tables.map(async (table) => {
          const { data, error } = await clientOfBo.from(table).select('*')
          return [table, error === null ? data.length : error.message] as const
        }),
      ),
    )
  const before = await counts()
  expect(Object.values(before).filter((count) => Number(count) > 0).length).toBeGreaterThan(6)

  expect((await ana.client.rpc('require_second_factor', { p_brand_id: brand, p_required: true })).error).toBeNull()
  expect(await counts()).toEqual(Object.fromEntries(tables.map((table) => [table, 0])))
  for (const [name, more] of Object.entries({
    pull: {},
    board: {},
    dashboard: {},
    search_contacts: { p_query: 'zoe' },
    list_brand_members: {},
    upsert_contact: { p_email: 'zoe@example.com' },
    add_contact_by_phone: { p_phone: '0100' },
    add_company: { p_name: 'Newco' },
    quick_create_deal: { p_name: 'New', p_stage_id: stages?.[0]?.id },
    add_brand_member_by_email: { p_email: 'ana@example.com' },
    audit_log: {},
  })) {
    const { data, error } = await clientOfBo.rpc(name, { p_brand_id: brand, ...more })
    expect([name, data, error?.message]).toEqual([name, null, 'SECOND_FACTOR_REQUIRED'])
  }
  expect((await clientOfBo.from('brands').update({ name: 'Mine' }).eq('id', brand).select('id')).data).toEqual([])
  expect((await clientOfBo.from('tasks').insert({ brand_id: brand, title: 'x' })).error?.code).toBe('42501')
  expect((await clientOfBo.rpc('brands_behind_second_factor')).data).toEqual([
    { id: brand, name: 'Vault', has_factor: false },
  ])

  const factorId = await proveApp(clientOfBo)
  expect(await counts()).toEqual(before)
  // A user who removes the factor loses access with the next request, whatever the token says.
  await clientOfBo.auth.mfa.unenroll({ factorId })
  expect((await clientOfBo.from('tasks').select('id')).data).toEqual([])

  expect((await ana.client.rpc('require_second_factor', { p_brand_id: brand, p_required: false })).error).toBeNull()
  expect((await clientOfBo.from('tasks').select('id')).data).toHaveLength(1)
})

it('a user with a factor needs it for every brand, so that a stolen password gives no access', async () => {
  const { client, user } = await signUpPerson(server, 'cy@example.com')
  const brand = crypto.randomUUID()
  await client.from('brands').insert({ id: brand, name: 'Open' })
  const factorId = await proveApp(client)
  const thief = testClient(server)
  await thief.auth.signInWithPassword({ email: user.email ?? '', password: 'correct horse' })
  expect((await thief.from('deal_stages').select('id')).data).toEqual([])
  expect((await thief.rpc('pull', { p_brand_id: brand })).error?.message).toBe('SECOND_FACTOR_REQUIRED')
  expect((await thief.rpc('export_my_data')).error?.message).toBe('SECOND_FACTOR_REQUIRED')
  expect((await client.from('deal_stages').select('id')).data).toHaveLength(6)
  await client.auth.mfa.unenroll({ factorId })
  expect((await thief.from('deal_stages').select('id')).data).toHaveLength(6)
})
