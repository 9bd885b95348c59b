import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SupabaseClient } from '@supabase/supabase-js'
import { importJWK, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { signUpPerson, testClient } from '../harness/client.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { totpCode } from '../harness/totp.ts'

/**
 * These tests are about clients that must not receive changes of a brand. Each subscribes, and loses the right or never had it. Then
 * `changeEverything` runs.
 */
const tables = ['deals', 'tasks', 'contacts', 'companies', 'deal_stages', 'memberships'] as const

interface Listener {
  client: SupabaseClient
  /** Table and event of each change, such as 'deals UPDATE', in order of arrival. */
  received: string[]
  /** Why the server closed the channel; null while it is open. */
  closed: string | null
}

let server: TestServer
let ana: SupabaseClient
let brandId: string
const listeners: Listener[] = []

beforeAll(async () => {
  server = await startTestServer()
  ana = (await signUpPerson(server, 'ana@example.org')).client
})
afterAll(async () => {
  for (const { client } of listeners) void client.realtime.disconnect()
  void ana?.realtime.disconnect()
  await server?.stop()
})

async function newBrand(): Promise<void> {
  brandId = randomUUID()
  await throwOnError(ana.from('brands').insert({ id: brandId, name: `Vault ${brandId}`, slug: brandId }))
}

async function throwOnError(response: PromiseLike<{ error: { message: string } | null }>): Promise<void> {
  const { error } = await response
  if (error) throw new Error(error.message)
}

async function newMember(): Promise<Awaited<ReturnType<typeof signUpPerson>>> {
  const email = `${randomUUID()}@example.org`
  const person = await signUpPerson(server, email)
  await throwOnError(ana.rpc('add_brand_member_by_email', { p_brand_id: brandId, p_email: email, p_role: 'member' }))
  return person
}

/** Subscribes to `tables` and to the brand. Resolves when the subscription is active. Rejects with the reason if the server refuses it. */
async function listen(client: SupabaseClient): Promise<Listener> {
  const listener: Listener = { client, received: [], closed: null }
  listeners.push(listener)
  const channel = client.channel(randomUUID())
  for (const table of [...tables, 'brands']) {
    const filter = `${table === 'brands' ? 'id' : 'brand_id'}=eq.${brandId}`
    channel.on('postgres_changes', { event: '*', schema: 'public', table, filter }, ({ eventType }) => {
      listener.received.push(`${table} ${eventType}`)
    })
  }
  await new Promise<void>((resolve, reject) => {
    channel.on('system', {}, ({ status, message }: { status: string; message: string }) => {
      if (status === 'ok') resolve()
      else {
        listener.closed = message
        reject(new Error(message))
      }
    })
    channel.subscribe()
  })
  return listener
}

/**
 * Adds, changes and deletes a company, a contact, a deal and a task, adds and removes a member, and renames the brand. Expects another member to
 * receive these changes.
 */
async function changeEverything(): Promise<void> {
  const member = await listen((await newMember()).client)
  const { data: stage } = await ana.from('deal_stages').select('id').eq('brand_id', brandId).limit(1).single()
  const rows = {
    companies: [{ name: 'Borealis' }, { name: 'Boreal' }],
    contacts: [{ email: 'zoe@example.com' }, { first_name: 'Zoe' }],
    deals: [{ name: 'Big', stage_id: stage?.id }, { name: 'Bigger' }],
    tasks: [{ title: 'Call' }, { title: 'Write' }],
  } as const
  for (const [table, [created, change]] of Object.entries(rows)) {
    const id = randomUUID()
    await throwOnError(ana.from(table).insert({ id, brand_id: brandId, ...created }))
    await throwOnError(ana.from(table).update(change).eq('id', id))
    await throwOnError(ana.from(table).delete().eq('id', id))
  }
  const removedMember = await newMember()
  await throwOnError(ana.from('memberships').delete().eq('brand_id', brandId).eq('user_id', removedMember.user.id))
  await throwOnError(
    ana
      .from('brands')
      .update({ name: `Renamed ${randomUUID()}` })
      .eq('id', brandId),
  )
  await vi.waitFor(() => expect(member.received).toContain('brands UPDATE'), { timeout: 5000, interval: 20 })
  for (const table of ['deals', 'tasks', 'contacts', 'companies'])
    expect(member.received.filter((event) => event.startsWith(table))).toEqual(
      ['INSERT', 'UPDATE', 'DELETE'].map((type) => `${table} ${type}`),
    )
  expect(member.received).toContain('memberships DELETE')
}

it('a stranger receives nothing, and neither does a client with the public key alone', async () => {
  await newBrand()
  const stranger = await listen((await signUpPerson(server, `${randomUUID()}@example.org`)).client)
  await expect(listen(testClient(server))).rejects.toThrow('Sign in to receive changes')
  const nobody = listeners.at(-1)
  await changeEverything()
  expect([stranger.received, nobody?.received]).toEqual([[], []])
})

it('a removed member receives the removal, and nothing after it', async () => {
  await newBrand()
  const { client, user } = await newMember()
  const removedListener = await listen(client)
  await throwOnError(ana.from('memberships').delete().eq('brand_id', brandId).eq('user_id', user.id))
  await vi.waitFor(() => expect(removedListener.received.at(-1)).toBe('memberships DELETE'), { timeout: 5000 })
  const before = removedListener.received.length
  await changeEverything()
  expect(removedListener.received.slice(before)).toEqual([])
})

it('a signed-out user receives nothing, though the token has not expired', async () => {
  await newBrand()
  const { client, session } = await newMember()
  await client.auth.signOut()
  const signedOutClient = testClient(server)
  await signedOutClient.realtime.setAuth(session.access_token)
  const signedOut = await listen(signedOutClient)
  await changeEverything()
  expect(signedOut.received).toEqual([])
})

it('a client whose token expires receives no more changes, and gets the reason', async () => {
  await newBrand()
  const { session } = await newMember()
  const client = testClient(server)
  await client.realtime.setAuth(await shortLivedToken(session.access_token, 3))
  const expired = await listen(client)
  await throwOnError(ana.from('tasks').insert({ brand_id: brandId, title: 'Heard' }))
  await vi.waitFor(() => expect(expired.received.at(-1)).toBe('tasks INSERT'), { timeout: 3000, interval: 20 })
  const before = expired.received.length
  await vi.waitFor(() => expect(expired.closed).toBe('Token has expired'), { timeout: 8000, interval: 50 })
  await changeEverything()
  expect(expired.received.slice(before)).toEqual([])
})

it('a brand that starts to demand a second factor stops sending to sessions with a password alone at once', async () => {
  await newBrand()
  const { data } = await ana.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })
  const code = totpCode(data?.totp.secret ?? '')
  await throwOnError(ana.auth.mfa.challengeAndVerify({ factorId: data?.id ?? '', code }))
  const passwordOnly = await listen((await newMember()).client)
  await throwOnError(ana.from('tasks').insert({ brand_id: brandId, title: 'Heard' }))
  await vi.waitFor(() => expect(passwordOnly.received).toContain('tasks INSERT'), { timeout: 5000, interval: 20 })
  await throwOnError(ana.rpc('require_second_factor', { p_brand_id: brandId, p_required: true }))
  const before = passwordOnly.received.length
  // The official client's socket keeps the token of the sign-in until it gets another one.
  await ana.realtime.setAuth((await ana.auth.getSession()).data.session?.access_token ?? null)
  const withFactor = await listen(ana)
  for (const table of ['tasks', 'deal_stages']) await throwOnError(ana.from(table).delete().eq('brand_id', brandId))
  await throwOnError(ana.from('tasks').insert({ brand_id: brandId, title: 'Secret' }))
  await vi.waitFor(() => expect(withFactor.received).toContain('tasks INSERT'), { timeout: 5000, interval: 20 })
  expect(withFactor.received).toContain('deal_stages DELETE')
  expect(passwordOnly.received.slice(before)).toEqual([])
})

/** Returns a token with the same claims that is valid for this many seconds, signed by the server's own key. */
async function shortLivedToken(token: string, seconds: number): Promise<string> {
  const [header, payload] = token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString())) as [{ alg: string; kid: string }, JWTPayload]
  const key = JSON.parse(await readFile(join(server.dataDir, 'keys.json'), 'utf8')).signingKeys[0]
  return new SignJWT({ ...payload, exp: Math.floor(Date.now() / 1000) + seconds })
    .setProtectedHeader(header)
    .sign(await importJWK(key, 'ES256'))
}
