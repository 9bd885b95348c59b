import { randomUUID } from 'node:crypto'
import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { signUpPerson } from '../harness/client.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

interface Somebody {
  id: string
  email: string
  client: SupabaseClient
}

let server: TestServer
let ana: Somebody
let bo: Somebody
let cy: Somebody
let brandId: string

beforeAll(async () => {
  server = await startTestServer()
  ;[ana, bo, cy] = await Promise.all(
    ['ana', 'bo', 'cy'].map(signUp) as [Promise<Somebody>, Promise<Somebody>, Promise<Somebody>],
  )
})
afterAll(() => server.stop())

/** Creates a brand for each test. Ana is its owner, cy an admin, bo a member. */
beforeEach(async () => {
  brandId = randomUUID()
  await dataOrThrow(ana.client.from('brands').insert({ id: brandId, name: `Acme ${brandId}`, slug: 'acme' }))
  await addMember(cy, 'admin')
  await addMember(bo, 'member')
})

async function signUp(name: string): Promise<Somebody> {
  const email = `${name}@example.org`
  const { client, user } = await signUpPerson(server, email)
  return { id: user.id, email, client }
}

async function dataOrThrow<T>(response: PromiseLike<{ data: T; error: { message: string } | null }>): Promise<T> {
  const { data, error } = await response
  if (error) throw new Error(error.message)
  return data
}

const addMember = ({ email }: Somebody, role: string) =>
  dataOrThrow(ana.client.rpc('add_brand_member_by_email', { p_brand_id: brandId, p_email: email, p_role: role }))
const addUnknown = (by: Somebody) =>
  by.client.rpc('add_brand_member_by_email', { p_brand_id: brandId, p_email: 'nobody@example.org', p_role: 'member' })
const setRole = (by: Somebody, whose: Somebody, role: string) =>
  by.client.from('memberships').update({ role }).eq('brand_id', brandId).eq('user_id', whose.id).select('user_id')
const remove = (by: Somebody, whose: Somebody) =>
  by.client.from('memberships').delete().eq('brand_id', brandId).eq('user_id', whose.id).select('user_id')
const ownerIds = async () =>
  (await dataOrThrow(cy.client.from('memberships').select('user_id').eq('brand_id', brandId).eq('role', 'owner')))?.map(
    ({ user_id }) => user_id,
  )

test('a changed role takes effect with the next request', async () => {
  expect((await addUnknown(bo)).error?.message).toBe('NOT_AUTHORIZED')
  await dataOrThrow(setRole(ana, bo, 'admin'))
  expect((await addUnknown(bo)).error?.message).toBe('USER_NOT_FOUND')
  await dataOrThrow(setRole(ana, bo, 'member'))
  expect((await addUnknown(bo)).error?.message).toBe('NOT_AUTHORIZED')
  expect(await dataOrThrow(setRole(bo, cy, 'member'))).toEqual([])
})

test('a removed member sees nothing from the next request on, and pull raises an error', async () => {
  expect(await dataOrThrow(bo.client.from('deal_stages').select('id').eq('brand_id', brandId))).toHaveLength(6)
  await dataOrThrow(remove(cy, bo))
  expect(await dataOrThrow(bo.client.from('deal_stages').select('id').eq('brand_id', brandId))).toEqual([])
  expect((await bo.client.rpc('pull', { p_brand_id: brandId })).error).toMatchObject({
    code: 'P0001',
    message: 'NOT_AUTHORIZED',
  })
})

test('a removed member gets a live event of the removal, and none after it', async () => {
  const receivedEvents: unknown[] = []
  const channel = bo.client.channel(`members-${brandId}`)
  const filter = `brand_id=eq.${brandId}`
  for (const table of ['memberships', 'tasks'])
    channel.on('postgres_changes', { event: '*', schema: 'public', table, filter }, ({ eventType, old }) =>
      receivedEvents.push({ eventType, old }),
    )
  const subscribed = new Promise<void>((resolve) => {
    channel.on('system', {}, ({ status }: { status: string }) => status === 'ok' && resolve())
  })
  channel.subscribe()
  await subscribed
  await dataOrThrow(remove(ana, cy))
  await dataOrThrow(remove(ana, bo))
  await dataOrThrow(ana.client.from('tasks').insert({ brand_id: brandId, title: 'Unheard' }))
  const removalOf = (whose: Somebody) => ({ eventType: 'DELETE', old: { brand_id: brandId, user_id: whose.id } })
  await vi.waitFor(() => expect(receivedEvents).toContainEqual(removalOf(bo)), { timeout: 5000 })
  // Bo may have received the removal of cy, which happened while bo was a member, but never the task.
  expect(receivedEvents.filter((event) => JSON.stringify(event) !== JSON.stringify(removalOf(cy)))).toEqual([
    removalOf(bo),
  ])
  await bo.client.realtime.disconnect()
})

test('only an owner can hand over the brand', async () => {
  const handOver = (by: Somebody, to: Somebody) =>
    by.client.rpc('hand_over_brand', { p_brand_id: brandId, p_user_id: to.id })
  expect((await handOver(cy, cy)).error?.message).toBe('NOT_AUTHORIZED')
  await dataOrThrow(handOver(ana, bo))
  expect(await ownerIds()).toEqual([bo.id])
  expect((await handOver(ana, ana)).error?.message).toBe('NOT_AUTHORIZED')
})

test('the last owner cannot leave; if two owners leave at once, one of them stays', async () => {
  expect(await remove(ana, ana)).toMatchObject({ status: 400, error: { code: 'BY001', message: 'LAST_OWNER' } })
  await dataOrThrow(setRole(ana, bo, 'owner'))
  const responses = await Promise.all([remove(ana, ana), remove(bo, bo)])
  expect(responses.filter(({ error }) => error?.message === 'LAST_OWNER')).toHaveLength(1)
  expect(await ownerIds()).toHaveLength(1)
})

test('a deleted brand is gone for everybody at once', async () => {
  expect(await dataOrThrow(cy.client.from('brands').delete().eq('id', brandId).select('id'))).toEqual([])
  expect(await dataOrThrow(ana.client.from('brands').delete().eq('id', brandId).select('id'))).toEqual([
    { id: brandId },
  ])
  expect((await cy.client.rpc('pull', { p_brand_id: brandId })).error?.message).toBe('NOT_AUTHORIZED')
})
