import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUpPerson, testClient } from '../harness/client.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { totpCode } from '../harness/totp.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ env: { AUTH_RATE_LIMIT: '100000' } })
})
afterAll(() => server.stop())

let personCount = 0
const newPerson = (password?: string) => signUpPerson(server, `person${++personCount}@example.com`, password)

async function signInAgain(email: string | undefined, password = 'correct horse'): Promise<SupabaseClient> {
  const client = testClient(server)
  const { error } = await client.auth.signInWithPassword({ email: email ?? '', password })
  if (error) throw error
  return client
}

async function createBrand(client: SupabaseClient, name: string): Promise<string> {
  const id = crypto.randomUUID()
  const { error } = await client.from('brands').insert({ id, name })
  if (error) throw error
  return id
}

/** Moves the sign-ins of all sessions of this user six minutes into the past. */
const ageSignIns = (userId: string) =>
  server.database!.owner.query(
    `update auth.mfa_amr_claims c set updated_at = now() - interval '6 minutes' from auth.sessions s
     where s.id = c.session_id and s.user_id = $1`,
    [userId],
  )

describe('the caller’s sessions', () => {
  it('the caller’s sessions are listed with the current one first, and can be ended one by one, or all others at once', async () => {
    const { client, user } = await newPerson()
    const [phone, tablet] = [await signInAgain(user.email), await signInAgain(user.email)]
    const { data: list } = await client.rpc('my_sessions')
    expect(list).toHaveLength(3)
    expect(list[0]).toMatchObject({
      is_current: true,
      aal: 'aal1',
      address: expect.stringMatching(/^127\.0\.0\.x$|^::/),
    })
    expect(list[1].is_current).toBe(false)

    const phoneSession = (await phone.rpc('my_sessions')).data.find(
      (session: { is_current: boolean }) => session.is_current,
    )
    expect((await client.rpc('end_session', { p_id: phoneSession.id })).error).toBeNull()
    expect((await phone.rpc('my_sessions')).error?.message).toBe('NOT_AUTHORIZED')
    expect((await client.rpc('end_session', { p_id: phoneSession.id })).error?.message).toBe('NOT_FOUND')
    expect((await client.rpc('end_other_sessions')).data).toBe(1)
    expect((await tablet.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
    expect((await client.rpc('my_sessions')).data).toHaveLength(1)
  })

  it('the caller’s sessions cannot be seen or ended by other people', async () => {
    const [ana, eve] = [await newPerson(), await newPerson()]
    const [session] = (await ana.client.rpc('my_sessions')).data
    expect((await eve.client.rpc('end_session', { p_id: session.id })).error?.message).toBe('NOT_FOUND')
    expect((await eve.client.rpc('my_sessions')).data).toHaveLength(1)
    expect((await ana.client.auth.getUser()).error).toBeNull()
  })

  it('a session that has ended reads no row by REST, RPC or pull', async () => {
    const { client, user } = await newPerson()
    const brand = await createBrand(client, `Ended ${personCount}`)
    const otherClient = await signInAgain(user.email)
    expect((await otherClient.from('deal_stages').select('id').eq('brand_id', brand)).data).toHaveLength(6)
    await client.rpc('end_other_sessions')
    expect((await otherClient.from('deal_stages').select('id')).data).toEqual([])
    expect((await otherClient.rpc('dashboard', { p_brand_id: brand })).error?.message).toBe('SESSION_ENDED')
    expect((await otherClient.rpc('pull', { p_brand_id: brand })).error?.code).toBe('PT401')
  })
})

describe('deleting an account', () => {
  it('deleting an account needs a password that was entered within the last five minutes', async () => {
    const { client, user } = await newPerson()
    await ageSignIns(user.id)
    await client.auth.refreshSession()
    expect((await client.rpc('delete_my_account')).error?.message).toBe('REAUTHENTICATION_NEEDED')
    await client.auth.signInWithPassword({ email: user.email ?? '', password: 'correct horse' })
    expect((await client.rpc('delete_my_account')).error).toBeNull()
    expect((await client.auth.getUser()).error?.code).toBe('user_not_found')
    const secondSignIn = await testClient(server).auth.signInWithPassword({
      email: user.email ?? '',
      password: 'correct horse',
    })
    expect(secondSignIn.error?.code).toBe('invalid_credentials')
  })

  it('deleting an account needs the second factor of a user who has one', async () => {
    const { client, user } = await newPerson()
    const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })
    const secret = data?.totp.secret ?? ''
    await client.auth.mfa.challengeAndVerify({ factorId: data?.id ?? '', code: totpCode(secret) })
    const passwordOnlyClient = await signInAgain(user.email)
    expect((await passwordOnlyClient.rpc('delete_my_account')).error?.message).toBe('REAUTHENTICATION_NEEDED')
    await passwordOnlyClient.auth.mfa.challengeAndVerify({ factorId: data?.id ?? '', code: totpCode(secret, 1) })
    expect((await passwordOnlyClient.rpc('delete_my_account')).error).toBeNull()
  })

  it('the refusal to delete an account lists the brands that would lose their last owner', async () => {
    const [ana, bo] = [await newPerson(), await newPerson()]
    const brand = await createBrand(ana.client, `Last ${personCount}`)
    const refusal = await ana.client.rpc('delete_my_account')
    expect(refusal.error?.message).toBe('LAST_OWNER')
    expect(JSON.parse(refusal.error?.details ?? '')).toEqual([{ id: brand, name: `Last ${personCount}` }])
    await ana.client.rpc('add_brand_member_by_email', { p_brand_id: brand, p_email: bo.user.email, p_role: 'owner' })
    await ana.client.from('companies').insert({ brand_id: brand, name: 'Stays', owner_id: ana.user.id })
    expect((await ana.client.rpc('delete_my_account')).error).toBeNull()
    const { data: companies } = await bo.client.from('companies').select('name,owner_id')
    expect(companies).toEqual([{ name: 'Stays', owner_id: null }])
  })

  it('deleting an account is refused to one of two owners if both delete their accounts at the same time', async () => {
    const [ana, bo] = [await newPerson(), await newPerson()]
    const brand = await createBrand(ana.client, `Two ${personCount}`)
    await ana.client.rpc('add_brand_member_by_email', { p_brand_id: brand, p_email: bo.user.email, p_role: 'owner' })
    const responses = await Promise.all([ana.client.rpc('delete_my_account'), bo.client.rpc('delete_my_account')])
    expect(responses.filter(({ error }) => error === null)).toHaveLength(1)
    expect(responses.find(({ error }) => error)?.error?.message).toBe('LAST_OWNER')
  })
})

it('an export contains the account, its memberships and its records, but no secrets and no data of other people', async () => {
  const [ana, bo] = [await newPerson(), await newPerson()]
  const brand = await createBrand(ana.client, `Export ${personCount}`)
  await ana.client.rpc('add_brand_member_by_email', { p_brand_id: brand, p_email: bo.user.email })
  await ana.client.from('companies').insert({ brand_id: brand, name: 'Anas' })
  await bo.client.from('companies').insert({ brand_id: brand, name: 'Bos' })
  await ana.client.from('tasks').insert({ brand_id: brand, title: 'Ring back', assignee_id: bo.user.id })
  const { data } = await bo.client.rpc('export_my_data')
  expect(data.notifications).toMatchObject([
    { brand_id: brand, kind: 'assigned', title: 'Ring back', read_at: null },
    { brand_id: brand, kind: 'added_to_brand', title: `Export ${personCount}` },
  ])
  expect(data.push_subscriptions).toEqual([])
  expect([data.muted_pushes, data.calendar_feed]).toEqual([[], null])
  expect(data.account).toMatchObject({ id: bo.user.id, email: bo.user.email })
  expect(data.memberships).toMatchObject([{ brand: `Export ${personCount}`, role: 'member' }])
  expect(data.records.companies).toMatchObject([{ name: 'Bos' }])
  expect(data.sessions).toHaveLength(1)
  expect(JSON.stringify(data)).not.toMatch(/argon2|Anas|encrypted|secret/)

  // The export lists the muted kinds of push, and says that there is a calendar feed, but does not contain the feed's secret.
  await bo.client.rpc('set_pushed_kind', { p_kind: 'mentioned', p_is_on: false })
  const { data: feedSecret } = await bo.client.rpc('make_calendar_feed')
  const { data: exportWithFeed } = await bo.client.rpc('export_my_data')
  expect([exportWithFeed.muted_pushes, exportWithFeed.calendar_feed]).toEqual([
    ['mentioned'],
    { made_at: expect.any(String) as string },
  ])
  expect(JSON.stringify(exportWithFeed)).not.toContain(String(feedSecret))
  expect((await ana.client.rpc('export_my_data')).data).toMatchObject({ muted_pushes: [], calendar_feed: null })

  // Of a brand that the person has left, the export contains only the brand's id, the name that the person had there, and the time of leaving.
  expect(data.former_memberships).toEqual([])
  await bo.client.from('memberships').update({ display_name: 'Bo Bell' }).eq('user_id', bo.user.id)
  await bo.client.from('memberships').delete().eq('brand_id', brand).eq('user_id', bo.user.id)
  const { data: laterExport } = await bo.client.rpc('export_my_data')
  expect(laterExport.memberships).toEqual([])
  expect(laterExport.former_memberships).toEqual([
    { brand_id: brand, display_name: 'Bo Bell', left_at: expect.any(String) as string },
  ])
  expect((await ana.client.rpc('export_my_data')).data.former_memberships).toEqual([])
})

describe('the audit log', () => {
  const readLog = async (client: SupabaseClient, brand: string, more: object = {}) => {
    const { data, error } = await client.rpc('audit_log', { p_brand_id: brand, ...more })
    if (error) throw new Error(error.message)
    return data as { id: number; event: string; who: string; detail: Record<string, string> }[]
  }

  it('an owner reads in the audit log who joined, who was removed and who got a role, and the events of sessions that opened the brand', async () => {
    const [ana, bo] = [await newPerson(), await newPerson()]
    const brand = await createBrand(ana.client, `Audit ${personCount}`)
    await ana.client.rpc('add_brand_member_by_email', { p_brand_id: brand, p_email: bo.user.email })
    await ana.client.from('memberships').update({ role: 'admin' }).eq('brand_id', brand).eq('user_id', bo.user.id)
    await testClient(server).auth.signInWithPassword({ email: bo.user.email ?? '', password: 'wrong one' })
    await signInAgain(bo.user.email)
    await bo.client.auth.updateUser({ password: 'quite another horse' })
    await ana.client
      .from('brands')
      .update({ name: `Audit ${personCount} too` })
      .eq('id', brand)
    await ana.client.from('memberships').delete().eq('brand_id', brand).eq('user_id', bo.user.id)

    const lines = await readLog(ana.client, brand)
    // Bo is no longer a member, so the log shows no event of Bo's account.
    expect(lines.map(({ event }) => event)).toEqual([
      'member_removed',
      'brand_renamed',
      'role_changed',
      'member_added',
      'member_joined',
    ])
    expect(lines[2]).toMatchObject({ who: `person${personCount - 1}`, detail: { from: 'member', to: 'admin' } })
    await ana.client.rpc('add_brand_member_by_email', { p_brand_id: brand, p_email: bo.user.email })
    await testClient(server).auth.signInWithPassword({ email: bo.user.email ?? '', password: 'wrong one' })
    await signInAgain(bo.user.email, 'quite another horse')
    // Bo has not opened the brand, so the log shows no event of Bo's account.
    expect((await readLog(ana.client, brand)).map(({ event }) => event)).not.toContain('sign_in')
    const newClientOfBo = await signInAgain(bo.user.email, 'quite another horse')
    expect((await newClientOfBo.rpc('open_brand', { p_brand_id: brand })).error).toBeNull()
    await newClientOfBo.auth.updateUser({ password: 'a third horse' })
    await testClient(server).auth.signInWithPassword({ email: bo.user.email ?? '', password: 'wrong one' })
    const accountLines = (await readLog(ana.client, brand)).filter(({ event }) => !/^(member|brand|role)_/.test(event))
    expect(accountLines).toMatchObject([{ event: 'password_changed', who: `person${personCount}`, detail: {} }])
    const pages = [...(await readLog(ana.client, brand, { p_limit: 3 }))]
    pages.push(...(await readLog(ana.client, brand, { p_limit: 200, p_before: pages.at(-1)?.id })))
    expect(pages).toEqual(await readLog(ana.client, brand, { p_limit: 200 }))
    await expect(readLog(newClientOfBo, brand)).rejects.toThrow('NOT_AUTHORIZED')
  })

  it('the audit log cannot be edited, not even by the owner role', async () => {
    for (const table of ['private.brand_events', 'auth.audit_log_entries']) {
      for (const text of [`delete from ${table}`, `truncate ${table}`]) {
        await expect(server.database!.owner.query(text)).rejects.toThrow('only ever added to')
      }
    }
    await expect(server.database!.owner.query(`update auth.audit_log_entries set ip_address = ''`)).rejects.toThrow(
      'only ever added to',
    )
    await expect(server.database!.owner.query(`update private.brand_events set event = 'x'`)).rejects.toThrow(
      'only ever added to',
    )
  })
})

it('a GET of add_brand_member_by_email does not tell whether an e-mail address has an account', async () => {
  const [ana, eve] = [await newPerson(), await newPerson()]
  const brand = await createBrand(ana.client, `Read ${personCount}`)
  for (const email of [eve.user.email, 'nobody@example.com']) {
    const { status, error } = await ana.client.rpc(
      'add_brand_member_by_email',
      { p_brand_id: brand, p_email: email },
      { get: true },
    )
    expect([status, error?.code], email).toEqual([405, '25006'])
  }
})

it('a caller who adds members by more than 30 unknown e-mail addresses a minute gets 429, also with 100 parallel requests; other callers do not', async () => {
  const [ana, eve] = [await newPerson(), await newPerson()]
  const brand = await createBrand(ana.client, `Oracle ${personCount}`)
  const addMember = (email: string) =>
    ana.client.rpc('add_brand_member_by_email', { p_brand_id: brand, p_email: email })
  const responses = await Promise.all(
    Array.from({ length: 100 }, (_, index) => addMember(`nobody${index}@example.com`)),
  )
  expect(responses.filter(({ error }) => error?.message === 'USER_NOT_FOUND').length).toBe(30)
  expect(responses.filter(({ status }) => status === 429).length).toBe(70)
  expect((await addMember(eve.user.email ?? '')).status).toBe(429)
  const brandOfEve = await createBrand(eve.client, `Other ${personCount}`)
  const { error } = await eve.client.rpc('add_brand_member_by_email', {
    p_brand_id: brandOfEve,
    p_email: 'nobody@example.com',
  })
  expect(error?.message).toBe('USER_NOT_FOUND')
  await server.database!.owner.query(`update private.unknown_addresses set at = at - interval '61 s'`)
  expect((await addMember(eve.user.email ?? '')).error).toBeNull()
})
