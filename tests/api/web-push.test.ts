import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { signUpPerson } from '../harness/client.ts'
import { type PushService, startPushService } from '../harness/push-service.ts'
import { query } from '../harness/query.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let service: PushService
let server: TestServer
let secondServer: TestServer
beforeAll(async () => {
  service = await startPushService()
  server = await startTestServer({ pushTransport: service.transport })
  const { databaseUrl, dataDir } = server
  secondServer = await startTestServer({ pushTransport: service.transport, databaseUrl: databaseUrl ?? '', dataDir })
})
afterAll(async () => {
  await secondServer.stop()
  await server.stop()
  await service.stop()
})

it('a reminder reaches the browser once, encrypted and signed, with two servers and after a restart; an ended push subscription is removed', async () => {
  const { client, user } = await signUpPerson(server, 'ana@push.example')
  const brand_id = crypto.randomUUID()
  await client.from('brands').insert({ id: brand_id, name: 'Harbour' })
  const { endpoint, keys } = service.subscribe()
  const subscriptionArgs = { p_endpoint: endpoint, p_p256dh: keys.p256dh, p_auth: keys.auth }
  expect((await client.rpc('save_push_subscription', subscriptionArgs)).error).toBeNull()
  const endedSubscription = service.subscribe()
  const endedArgs = {
    p_endpoint: `${endedSubscription.endpoint}0`,
    p_p256dh: endedSubscription.keys.p256dh,
    p_auth: endedSubscription.keys.auth,
  }
  expect((await client.rpc('save_push_subscription', endedArgs)).error).toBeNull()

  const due_at = new Date(Date.now() + 1500).toISOString()
  const creation = await client.from('tasks').insert({ brand_id, title: 'Call Margaret', due_at }).select('id').single()
  await vi.waitFor(() => expect(service.received).toHaveLength(1), { timeout: 10_000, interval: 50 })
  expect(Date.now()).toBeGreaterThan(Date.parse(due_at))
  expect(service.received[0]).toMatchObject({
    endpoint,
    headers: { 'content-encoding': 'aes128gcm', ttl: '43200', urgency: 'high' },
    claims: { aud: 'https://push.example', sub: 'mailto:no-reply@localhost' },
    payload: { title: 'Due now', body: 'Call Margaret', url: `/crm/tasks/${creation.data?.id}` },
  })
  const { exp } = service.received[0]?.claims ?? { exp: 0 }
  expect(exp - Date.now() / 1000).toBeLessThan(86_400)
  await vi.waitFor(async () =>
    expect(await query(server, 'select endpoint from private.push_subscriptions where user_id = $1', user.id)).toEqual([
      { endpoint },
    ]),
  )
  await secondServer.kill()
  const { databaseUrl, dataDir } = server
  secondServer = await startTestServer({ pushTransport: service.transport, databaseUrl: databaseUrl ?? '', dataDir })
  await new Promise((resolve) => setTimeout(resolve, 4000))
  expect(service.received).toHaveLength(1)
  // All servers of an installation have the same key, and the page knows it.
  const configs = await Promise.all(
    [server, secondServer].map(async ({ url }) => await (await fetch(`${url}/config.js`)).text()),
  )
  expect(configs[0]).toMatch(/"pushKey":"B[\w-]{86}"/)
  expect(configs[1]).toBe(configs[0])
})

it('a push to an endpoint that is no valid URL is dropped after the first attempt', async () => {
  const { client, user } = await signUpPerson(server, 'bo@push.example')
  const brand_id = crypto.randomUUID()
  await client.from('brands').insert({ id: brand_id, name: 'Slate' })
  const { keys } = service.subscribe()
  const endpoint = 'https://xn--a.com/bo'
  const subscriptionArgs = { p_endpoint: endpoint, p_p256dh: keys.p256dh, p_auth: keys.auth }
  expect((await client.rpc('save_push_subscription', subscriptionArgs)).error).toBeNull()
  const due_at = new Date(Date.now() + 500).toISOString()
  expect((await client.from('tasks').insert({ brand_id, title: 'Call Zoe', due_at })).error).toBeNull()
  const waitingPushes = () => query(server, 'select id from private.push_outbox where endpoint = $1', endpoint)
  // The reminder and its push are created in one transaction.
  await vi.waitFor(
    async () =>
      expect(await query(server, 'select id from public.notifications where user_id = $1', user.id)).toHaveLength(1),
    { timeout: 10_000, interval: 20 },
  )
  await vi.waitFor(async () => expect(await waitingPushes()).toEqual([]), { timeout: 5000, interval: 20 })
})
