import { randomUUID } from 'node:crypto'
import {
  REALTIME_SUBSCRIBE_STATES,
  type RealtimeChannel,
  type RealtimePostgresChangesPayload,
  type SupabaseClient,
} from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { officialClient } from '../harness/client.ts'

/** These tests receive live changes with the official client. Ana owns Acme, Bo is a member, Eve has her own brand. */
type Row = Record<string, unknown>
type ReceivedChange = RealtimePostgresChangesPayload<Row>

let server: TestServer
let ana: SupabaseClient
let bo: SupabaseClient
let eve: SupabaseClient
let brandId: string
let foreignId: string
let stageId: string

beforeAll(async () => {
  server = await startTestServer()
  ;[ana, bo, eve] = (await Promise.all(['ana', 'bo', 'eve'].map(signUp))) as [
    SupabaseClient,
    SupabaseClient,
    SupabaseClient,
  ]
  brandId = await createBrand(ana, 'Acme')
  foreignId = await createBrand(eve, 'Evil')
  await throwOnError(
    ana.rpc('add_brand_member_by_email', { p_brand_id: brandId, p_email: 'bo@example.org', p_role: 'member' }),
  )
  const { data } = await ana
    .from('deal_stages')
    .select('id')
    .eq('brand_id', brandId)
    .order('position')
    .limit(1)
    .single()
  stageId = data?.id
})
afterAll(async () => {
  await Promise.all([ana, bo, eve].map((client) => client?.removeAllChannels()))
  for (const client of [ana, bo, eve]) void client?.realtime.disconnect()
  await server?.stop()
})

async function signUp(name: string): Promise<SupabaseClient> {
  const client = officialClient(server.url, server.publishableKey)
  const { error } = await client.auth.signUp({ email: `${name}@example.org`, password: 'correct horse' })
  if (error) throw error
  return client
}

async function createBrand(client: SupabaseClient, name: string): Promise<string> {
  const id = randomUUID()
  await throwOnError(client.from('brands').insert({ id, name, slug: name }))
  return id
}

async function throwOnError(response: PromiseLike<{ error: { message: string } | null }>): Promise<void> {
  const { error } = await response
  if (error) throw new Error(error.message)
}

/** Subscribes and resolves when the subscription is active. */
async function listen(
  client: SupabaseClient,
  table: string,
  filter: string | undefined,
  event: '*' | 'INSERT' | 'UPDATE' | 'DELETE' = '*',
): Promise<{ received: ReceivedChange[]; channel: RealtimeChannel }> {
  const received: ReceivedChange[] = []
  const channel = client.channel(`${table}-${randomUUID()}`)
  const system = new Promise<void>((resolve, reject) => {
    channel.on('system', {}, (reply: { status: string; message: string }) =>
      reply.status === 'ok' ? resolve() : reject(new Error(reply.message)),
    )
  })
  channel.on(
    'postgres_changes',
    { event: event as '*', schema: 'public', table, ...(filter === undefined ? {} : { filter }) },
    (payload) => void received.push(payload as ReceivedChange),
  )
  await joinChannel(channel)
  await system
  return { received, channel }
}

function joinChannel(channel: RealtimeChannel): Promise<void> {
  return new Promise((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) resolve()
      else if (status !== REALTIME_SUBSCRIBE_STATES.CLOSED) reject(new Error(`${status} ${error?.message ?? ''}`))
    })
  })
}

const addDeal = (client: SupabaseClient, name: string, more: Row = {}) =>
  throwOnError(client.from('deals').insert({ id: randomUUID(), brand_id: brandId, name, stage_id: stageId, ...more }))

function nameOf(row: object): unknown {
  return Reflect.get(row, 'name')
}

/** Waits until a row with this name has arrived. If an event of an earlier change is then missing, it was not sent. */
async function untilReceived(received: readonly ReceivedChange[], name: string): Promise<void> {
  await vi.waitFor(() => expect(received.some(({ new: row }) => nameOf(row) === name)).toBe(true), {
    timeout: 5000,
    interval: 10,
  })
}

describe('changes of rows', () => {
  it('changes of rows include a write right after the subscription, even if the change log is read late', async () => {
    const { live } = server.database!
    const heldConnections = await Promise.all([live.connect(), live.connect()])
    setTimeout(() => {
      for (const connection of heldConnections) connection.release()
    }, 300)
    const receivedChanges: ReceivedChange[] = []
    const channel = ana.channel(`early-${randomUUID()}`)
    channel.on(
      'postgres_changes',
      { event: '*', schema: 'public', table: 'deals' },
      (payload) => void receivedChanges.push(payload),
    )
    await joinChannel(channel)
    await addDeal(ana, 'at once')
    await untilReceived(receivedChanges, 'at once')
    await ana.removeChannel(channel)
  })

  it('spec 7: Realtime subscriptions to all changes of deals and of tasks, filtered by brand_id.', async () => {
    const deals = await listen(bo, 'deals', `brand_id=eq.${brandId}`)
    const tasks = await listen(bo, 'tasks', `brand_id=eq.${brandId}`)
    const id = randomUUID()
    await throwOnError(
      ana.from('deals').insert({ id, brand_id: brandId, name: 'Renewal', amount: 12.5, stage_id: stageId }),
    )
    await throwOnError(ana.from('deals').update({ name: 'Renewed' }).eq('id', id))
    await throwOnError(ana.from('deals').delete().eq('id', id))
    await throwOnError(ana.from('tasks').insert({ brand_id: brandId, title: 'Call' }))
    await vi.waitFor(() => expect([deals.received.length, tasks.received.length]).toEqual([3, 1]), { timeout: 5000 })
    const [inserted, updated, deleted] = deals.received
    expect(inserted).toMatchObject({ eventType: 'INSERT', schema: 'public', table: 'deals', errors: null, old: {} })
    expect(inserted?.new).toMatchObject({ id, brand_id: brandId, name: 'Renewal', amount: 12.5, contact_id: null })
    expect(Date.parse(inserted?.commit_timestamp ?? '')).toBeGreaterThan(Date.now() - 60_000)
    expect(updated).toMatchObject({ eventType: 'UPDATE', new: { id, name: 'Renewed' }, old: { id } })
    expect(deleted).toMatchObject({ eventType: 'DELETE', new: {}, old: { id, brand_id: brandId } })
    expect(tasks.received[0]).toMatchObject({
      eventType: 'INSERT',
      table: 'tasks',
      new: { title: 'Call', status: 'open' },
    })
  })

  it('changes of rows never include rows of another brand, with any filter, deletes included', async () => {
    const ofForeignBrand = await listen(eve, 'deals', `brand_id=eq.${brandId}`)
    const everything = await listen(eve, 'deals', undefined)
    const member = await listen(bo, 'deals', undefined)
    await addDeal(ana, 'Secret')
    await throwOnError(ana.from('deals').delete().eq('name', 'Secret').eq('brand_id', brandId))
    const { data } = await eve.from('deal_stages').select('id').eq('brand_id', foreignId).limit(1).single()
    await throwOnError(eve.from('deals').insert({ brand_id: foreignId, name: 'Own', stage_id: data?.id }))
    await untilReceived(everything.received, 'Own')
    expect(everything.received).toHaveLength(1)
    expect(ofForeignBrand.received).toEqual([])
    await vi.waitFor(() => expect(member.received).toHaveLength(2), { timeout: 5000 })
  })

  it('changes of rows include only the events and rows of a binding', async () => {
    const updates = await listen(bo, 'deals', `brand_id=eq.${brandId}`, 'UPDATE')
    const large = await listen(bo, 'deals', 'amount=gte.1000')
    const ofTwoNames = await listen(bo, 'deals', 'name=in.(One,"Two, three")')
    const allChanges = await listen(bo, 'deals', `brand_id=eq.${brandId}`)
    await addDeal(ana, 'One', { amount: 5 })
    await addDeal(ana, 'Two, three', { amount: 1000 })
    await throwOnError(ana.from('deals').update({ amount: 2 }).eq('name', 'One').eq('brand_id', brandId))
    await addDeal(ana, 'Last')
    await untilReceived(allChanges.received, 'Last')
    const names = (received: readonly ReceivedChange[]) =>
      received.map(({ eventType, new: row }) => [eventType, nameOf(row)].join(' '))
    expect(names(updates.received)).toEqual(['UPDATE One'])
    expect(names(large.received)).toEqual(['INSERT Two, three'])
    expect(names(ofTwoNames.received)).toEqual(['INSERT One', 'INSERT Two, three', 'UPDATE One'])
  })

  it('200 changes of rows arrive in order, each once', async () => {
    const { received } = await listen(bo, 'deals', `brand_id=eq.${brandId}`)
    const id = randomUUID()
    await throwOnError(ana.from('deals').insert({ id, brand_id: brandId, name: '0', stage_id: stageId }))
    for (let i = 1; i < 200; i++)
      await throwOnError(
        ana
          .from('deals')
          .update({ name: String(i) })
          .eq('id', id),
      )
    await untilReceived(received, '199')
    expect(received.map(({ new: row }) => nameOf(row))).toEqual(Array.from({ length: 200 }, (_, i) => String(i)))
  })

  it('changes of rows arrive while other transactions are open; changes of an open transaction follow after its commit, and none comes twice', async () => {
    const earlyClient = await server.database?.owner.connect()
    const lateClient = await server.database?.owner.connect()
    if (!earlyClient || !lateClient) throw new Error('no database')
    const insert = 'insert into deals (brand_id, name, stage_id) values ($1, $2, $3)'
    try {
      await earlyClient.query('begin')
      await earlyClient.query('select pg_current_xact_id()')
      const first = await listen(bo, 'deals', `brand_id=eq.${brandId}`)
      await addDeal(ana, 'Before')
      await untilReceived(first.received, 'Before')
      const { received } = await listen(bo, 'deals', `brand_id=eq.${brandId}`)
      await lateClient.query('begin')
      await lateClient.query(insert, [brandId, 'Committed late', stageId])
      await addDeal(ana, 'Committed early')
      await untilReceived(received, 'Committed early')
      await lateClient.query('commit')
      await untilReceived(received, 'Committed late')
      await earlyClient.query('commit')
      await addDeal(ana, 'Last')
      await untilReceived(received, 'Last')
      expect(received.map(({ new: row }) => nameOf(row))).toEqual(['Committed early', 'Committed late', 'Last'])
    } finally {
      for (const client of [earlyClient, lateClient]) client.release(true)
    }
  })

  it('a subscription to an unpublished table or with an invalid filter gets an error', async () => {
    await expect(listen(bo, 'secrets', undefined)).rejects.toThrow('not in the publication')
    await expect(listen(bo, 'deals', 'brand_id=about.x')).rejects.toThrow('cannot be read')
    await expect(listen(bo, 'contacts', 'search=eq.x')).rejects.toThrow('cannot be read')
  })

  it('a join with a refused binding succeeds; then a system message contains the reason, and the other bindings receive changes', async () => {
    const refused: [filter: string, event?: string][] = [
      ['amount=gt.abc'],
      ['amount=in.(1,x)'],
      ['brand_id=eq.123'],
      ['expected_close_date=gt.2027-99-01'],
      ['name=like.A*'],
      ['name=is.null'],
      ['unknown=eq.1'],
      ['amount=gt.1', 'TRUNCATE'],
    ]
    for (const [filter, event = '*'] of refused) {
      const [received, systemMessages]: [ReceivedChange[], unknown[]] = [[], []]
      const channel = bo.channel(randomUUID())
      channel.on('system', {}, ({ status, message }: { status: string; message: string }) => {
        systemMessages.push([status, message])
      })
      const change = (payload: unknown) => void received.push(payload as ReceivedChange)
      channel.on('postgres_changes', { event: event as '*', schema: 'public', table: 'deals', filter }, change)
      channel.on(
        'postgres_changes',
        { event: '*', schema: 'public', table: 'deals', filter: `brand_id=eq.${brandId}` },
        change,
      )
      await joinChannel(channel)
      await vi.waitFor(() => expect(systemMessages).toHaveLength(1), { timeout: 5000, interval: 10 })
      const reason = event === '*' ? `the filter ${filter} cannot be read` : `${event} is not an event`
      expect(systemMessages).toEqual([['error', expect.stringContaining(`Unable to subscribe to changes: ${reason}`)]])
      await addDeal(ana, filter)
      await untilReceived(received, filter)
      await bo.removeChannel(channel)
    }
  })
})

describe('rights at the time of the event', () => {
  it('a removed member receives no more changes', async () => {
    const cy = await signUp('cy')
    await throwOnError(
      ana.rpc('add_brand_member_by_email', { p_brand_id: brandId, p_email: 'cy@example.org', p_role: 'member' }),
    )
    const { received } = await listen(cy, 'deals', `brand_id=eq.${brandId}`)
    const member = await listen(bo, 'deals', `brand_id=eq.${brandId}`)
    await addDeal(ana, 'Before')
    await untilReceived(received, 'Before')
    const { data } = await cy.auth.getUser()
    await throwOnError(ana.from('memberships').delete().eq('brand_id', brandId).eq('user_id', data.user?.id))
    await addDeal(ana, 'After')
    await untilReceived(member.received, 'After')
    expect(received).toHaveLength(1)
    void cy.realtime.disconnect()
  })

  it('an ended session receives no more changes, though its token has not expired', async () => {
    const first = officialClient(server.url, server.publishableKey)
    const second = officialClient(server.url, server.publishableKey)
    const credentials = { email: 'bo@example.org', password: 'correct horse' }
    await first.auth.signInWithPassword(credentials)
    await second.auth.signInWithPassword(credentials)
    const endedSession = await listen(first, 'deals', `brand_id=eq.${brandId}`)
    const member = await listen(ana, 'deals', `brand_id=eq.${brandId}`)
    await second.auth.signOut({ scope: 'others' })
    await addDeal(ana, 'Unheard')
    await untilReceived(member.received, 'Unheard')
    expect(endedSession.received).toEqual([])
    void first.realtime.disconnect()
    // The socket of bo, who signed in too, is closed with the others.
    await bo.auth.signInWithPassword(credentials)
  })

  it('a client with the public key alone receives nothing but an error that says to sign in', async () => {
    const nobody = officialClient(server.url, server.publishableKey)
    await expect(listen(nobody, 'deals', undefined)).rejects.toThrow('Sign in to receive changes')
    void nobody.realtime.disconnect()
  })

  it('a channel that was joined before the sign-in receives changes from the sign-in to the sign-out', async () => {
    const client = officialClient(server.url, server.publishableKey)
    const [received, systemMessages]: [ReceivedChange[], string[]] = [[], []]
    const channel = client.channel('early')
    channel.on('system', {}, ({ message }: { message: string }) => void systemMessages.push(message))
    channel.on('postgres_changes', { event: '*', schema: 'public', table: 'deals' }, (change) => {
      received.push(change)
    })
    const statuses: string[] = []
    channel.subscribe((status) => void statuses.push(status))
    await vi.waitFor(() => expect(systemMessages).toHaveLength(1), { timeout: 5000 })
    await client.auth.signInWithPassword({ email: 'bo@example.org', password: 'correct horse' })
    await vi.waitFor(() => expect(systemMessages).toHaveLength(2), { timeout: 5000 })
    await addDeal(ana, 'After the sign-in')
    await untilReceived(received, 'After the sign-in')
    await client.realtime.setAuth(server.publishableKey)
    await vi.waitFor(() => expect(systemMessages).toHaveLength(3), { timeout: 5000 })
    const member = await listen(ana, 'deals', `brand_id=eq.${brandId}`)
    await addDeal(ana, 'After the sign-out')
    await untilReceived(member.received, 'After the sign-out')
    expect(received).toHaveLength(1)
    const refusal = 'Unable to subscribe to changes: Sign in to receive changes: only members receive them'
    expect(systemMessages).toEqual([refusal, 'Subscribed to PostgreSQL', refusal])
    expect(statuses).toEqual(['SUBSCRIBED'])
    void client.realtime.disconnect()
  })
})

describe('the topic of a brand', () => {
  const options = {
    config: { private: true, broadcast: { ack: true, self: false }, presence: { key: 'x', enabled: true } },
  }

  it('the topic of a brand sends broadcasts of members to the other members only', async () => {
    const [channelOfAna, channelOfBo] = [
      ana.channel(`brand:${brandId}`, options),
      bo.channel(`brand:${brandId}`, options),
    ]
    const [broadcasts, echoed]: [unknown[], unknown[]] = [[], []]
    channelOfBo.on('broadcast', { event: 'looks-at' }, ({ payload }) => void broadcasts.push(payload))
    channelOfAna.on('broadcast', { event: 'looks-at' }, ({ payload }) => void echoed.push(payload))
    await ana.realtime.setAuth()
    await bo.realtime.setAuth()
    await Promise.all([joinChannel(channelOfAna), joinChannel(channelOfBo)])
    expect(await channelOfAna.send({ type: 'broadcast', event: 'looks-at', payload: { deal: 'é' } })).toBe('ok')
    await vi.waitFor(() => expect(broadcasts).toEqual([{ deal: 'é' }]), { timeout: 5000 })
    expect(echoed).toEqual([])
    await Promise.all([ana.removeChannel(channelOfAna), bo.removeChannel(channelOfBo)])
  })

  it('the topic of a brand shows the presence of members', async () => {
    const config = (key: string) => ({ config: { private: true, presence: { key, enabled: true } } })
    const [channelOfAna, channelOfBo] = [
      ana.channel(`brand:${brandId}`, config('ana')),
      bo.channel(`brand:${brandId}`, config('bo')),
    ]
    for (const channel of [channelOfAna, channelOfBo]) channel.on('presence', { event: 'sync' }, () => {})
    await joinChannel(channelOfAna)
    await channelOfAna.track({ name: 'Ana' })
    await joinChannel(channelOfBo)
    await channelOfBo.track({ name: 'Bo' })
    await vi.waitFor(
      () => {
        expect(Object.keys(channelOfAna.presenceState()).sort()).toEqual(['ana', 'bo'])
        expect(Object.keys(channelOfBo.presenceState()).sort()).toEqual(['ana', 'bo'])
      },
      { timeout: 5000 },
    )
    await bo.removeChannel(channelOfBo)
    await vi.waitFor(() => expect(Object.keys(channelOfAna.presenceState())).toEqual(['ana']), { timeout: 5000 })
    await ana.removeChannel(channelOfAna)
  })

  it('the topic of a brand refuses outsiders', async () => {
    await eve.realtime.setAuth()
    await expect(joinChannel(eve.channel(`brand:${brandId}`, options))).rejects.toThrow('Unauthorized')
    await eve.removeAllChannels()
  })
})
