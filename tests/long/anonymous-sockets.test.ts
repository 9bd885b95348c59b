import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signUpPerson } from '../harness/client.ts'
import { residentMiB, measureSmallRequests } from '../harness/measure-requests.ts'
import { bindings, openRawSocket, type RawSocket } from '../harness/raw-socket.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

// These tests check that sockets without a sign-in do not slow a member down. The server takes a socket's network address from a header, as
// behind a trusted proxy, so that sockets can come from many networks.

let server: TestServer
let member: Awaited<ReturnType<typeof newPerson>>
let stranger: Awaited<ReturnType<typeof newPerson>>
const openedSockets: RawSocket[] = []

beforeAll(async () => {
  server = await startTestServer({ run: 'process', env: { TRUST_PROXY: '1' } })
  member = await newPerson('ana')
  stranger = await newPerson('eve')
})
afterAll(async () => {
  for (const socket of openedSockets) socket.close()
  await server?.stop()
})

async function newPerson(name: string) {
  const { client, session } = await signUpPerson(server, `${name}-${randomUUID()}@example.org`)
  const brandId = randomUUID()
  const { error } = await client.from('brands').insert({ id: brandId, name, slug: brandId })
  if (error) throw error
  const { data } = await client.from('deal_stages').select('id').eq('brand_id', brandId).limit(1).single()
  return { client, brandId, stageId: data?.id as string, token: session.access_token }
}

/** Adds `count` deals one after another as the member, whose socket receives the changes. Returns percentiles of the durations (ms). */
async function measureInserts(count = 60): Promise<{ p50Ms: number; p95Ms: number }> {
  const durations: number[] = []
  for (let i = 0; i < count; i++) {
    const { brandId, stageId } = member
    const startedAt = performance.now()
    const { error } = await member.client
      .from('deals')
      .insert({ brand_id: brandId, name: `deal ${i}`, stage_id: stageId })
    durations.push(performance.now() - startedAt)
    if (error) throw error
  }
  durations.sort((a, b) => a - b)
  const percentile = (share: number) => Math.round((durations[Math.floor(durations.length * share)] ?? 0) * 10) / 10
  return { p50Ms: percentile(0.5), p95Ms: percentile(0.95) }
}

async function openSocket(address: string): Promise<RawSocket | null> {
  const socket = await openRawSocket(server, address).catch(() => null)
  if (socket) openedSockets.push(socket)
  return socket
}

it('300 sockets of one network address, and another user who exhausts all limits, do not disturb a member', async () => {
  const memberSocket = await openSocket('192.0.2.1')
  const liveConfig = {
    postgres_changes: [{ event: '*', schema: 'public', table: 'deals', filter: `brand_id=eq.${member.brandId}` }],
  }
  expect(await memberSocket?.join('own', liveConfig, member.token)).toBe('ok')
  await measureInserts()
  const insertsBefore = await measureInserts()
  const memoryBefore = residentMiB(server.child?.pid ?? 0)
  const startedAt = performance.now()

  const measurement = measureSmallRequests(member.client, member.brandId)
  const anonymous: RawSocket[] = []
  for (let i = 0; i < 300; i++) {
    const socket = await openSocket('198.51.100.1')
    if (socket) anonymous.push(socket)
  }
  expect(anonymous).toHaveLength(20)
  for (const socket of anonymous.slice(0, 10))
    for (let i = 0; i < 100; i++)
      socket.send(String(i), String(i), `realtime:c${i}`, 'phx_join', { config: bindings(100) })
  let joinedCount = 0
  for (let i = 0; i < 60; i++) {
    const socket = await openSocket(`198.51.100.${i}`)
    const allChanges = {
      postgres_changes: Array.from({ length: 100 }, () => ({ event: '*', schema: 'public', table: '*' })),
    }
    if ((await socket?.join('all', allChanges, stranger.token)) === 'ok') joinedCount++
  }
  const chattySocket = await openSocket('203.0.113.1')
  const topic = `realtime:brand:${stranger.brandId}`
  await chattySocket?.ask('1', topic, 'phx_join', {
    config: { private: true, broadcast: { ack: true } },
    access_token: stranger.token,
  })
  const broadcastTimer = setInterval(() => {
    const payload = { type: 'broadcast', event: 'x', payload: { text: 'x'.repeat(20_000) } }
    chattySocket?.send('1', 'x', topic, 'broadcast', payload)
  }, 100)
  await sleep(3_000)
  const insertsDuring = await measureInserts()
  // Waits until the server has closed the anonymous sockets that joined no channel: it closes them after 30 s.
  await sleep(Math.max(0, 34_000 - (performance.now() - startedAt)))
  clearInterval(broadcastTimer)
  const figures = await measurement.stop()
  const grownMiB = residentMiB(server.child?.pid ?? 0) - memoryBefore
  console.log(
    `inserts ${JSON.stringify(insertsBefore)} before, ${JSON.stringify(insertsDuring)} during; small requests ${JSON.stringify(figures)}; memory +${Math.round(grownMiB)} MiB; ${joinedCount} sockets of the stranger`,
  )
  expect(anonymous.slice(10).filter((socket) => socket.isOpen())).toEqual([])
  expect(joinedCount).toBeLessThanOrEqual(5)
  expect(figures.failures).toEqual([])
  expect(figures.p95).toBeLessThan(300)
  expect(insertsDuring.p95Ms).toBeLessThan(300)
  expect(insertsDuring.p50Ms).toBeLessThan(insertsBefore.p50Ms * 1.5 + 5)
  expect(grownMiB).toBeLessThan(50)
  expect(server.child?.exitCode).toBeNull()
}, 180_000)
