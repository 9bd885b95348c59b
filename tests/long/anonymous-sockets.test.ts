import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signUpPerson } from '../harness/client.ts'
import { residentMiB, measureSmallRequests } from '../harness/member-pulse.ts'
import { bindings, openRawSocket, type RawSocket } from '../harness/raw-socket.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

// These tests check that sockets without a sign-in do not slow a member down. The server takes a socket's network address from a header, as
// behind a trusted proxy, so that sockets can come from many networks.

let server: TestServer
let member: Awaited<ReturnType<typeof newPerson>>
let stranger: Awaited<ReturnType<typeof newPerson>>
const opened: RawSocket[] = []

beforeAll(async () => {
  server = await startTestServer({ run: 'process', env: { TRUST_PROXY: '1' } })
  member = await newPerson('ana')
  stranger = await newPerson('eve')
})
afterAll(async () => {
  for (const socket of opened) socket.close()
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
async function measureInserts(count = 60): Promise<{ p50: number; p95: number }> {
  const took: number[] = []
  for (let i = 0; i < count; i++) {
    const { brandId, stageId } = member
    const started = performance.now()
    const { error } = await member.client
      .from('deals')
      .insert({ brand_id: brandId, name: `deal ${i}`, stage_id: stageId })
    took.push(performance.now() - started)
    if (error) throw error
  }
  took.sort((a, b) => a - b)
  const at = (share: number) => Math.round((took[Math.floor(took.length * share)] ?? 0) * 10) / 10
  return { p50: at(0.5), p95: at(0.95) }
}

async function open(address: string): Promise<RawSocket | null> {
  const socket = await openRawSocket(server, address).catch(() => null)
  if (socket) opened.push(socket)
  return socket
}

it('300 sockets of one network address, and another user who exhausts all limits, do not disturb a member', async () => {
  const own = await open('192.0.2.1')
  const live = {
    postgres_changes: [{ event: '*', schema: 'public', table: 'deals', filter: `brand_id=eq.${member.brandId}` }],
  }
  expect(await own?.join('own', live, member.token)).toBe('ok')
  await measureInserts()
  const before = await measureInserts()
  const memory = residentMiB(server.child?.pid ?? 0)
  const started = performance.now()

  const pulse = measureSmallRequests(member.client, member.brandId)
  const anonymous: RawSocket[] = []
  for (let i = 0; i < 300; i++) {
    const socket = await open('198.51.100.1')
    if (socket) anonymous.push(socket)
  }
  expect(anonymous).toHaveLength(20)
  for (const socket of anonymous.slice(0, 10))
    for (let i = 0; i < 100; i++)
      socket.send(String(i), String(i), `realtime:c${i}`, 'phx_join', { config: bindings(100) })
  let taken = 0
  for (let i = 0; i < 60; i++) {
    const socket = await open(`198.51.100.${i}`)
    const all = { postgres_changes: Array.from({ length: 100 }, () => ({ event: '*', schema: 'public', table: '*' })) }
    if ((await socket?.join('all', all, stranger.token)) === 'ok') taken++
  }
  const talk = await open('203.0.113.1')
  const topic = `realtime:brand:${stranger.brandId}`
  await talk?.ask('1', topic, 'phx_join', {
    config: { private: true, broadcast: { ack: true } },
    access_token: stranger.token,
  })
  const chatter = setInterval(() => {
    const payload = { type: 'broadcast', event: 'x', payload: { text: 'x'.repeat(20_000) } }
    talk?.send('1', 'x', topic, 'broadcast', payload)
  }, 100)
  await sleep(3_000)
  const during = await measureInserts()
  // Waits until the server has closed the anonymous sockets that joined no channel: it closes them after 30 s.
  await sleep(Math.max(0, 34_000 - (performance.now() - started)))
  clearInterval(chatter)
  const figures = await pulse.stop()
  const grown = residentMiB(server.child?.pid ?? 0) - memory
  console.log(
    `inserts ${JSON.stringify(before)} before, ${JSON.stringify(during)} during; pulse ${JSON.stringify(figures)}; memory +${Math.round(grown)} MiB; ${taken} sockets of the stranger`,
  )
  expect(anonymous.slice(10).filter((socket) => socket.isOpen())).toEqual([])
  expect(taken).toBeLessThanOrEqual(5)
  expect(figures.failures).toEqual([])
  expect(figures.p95).toBeLessThan(300)
  expect(during.p95).toBeLessThan(300)
  expect(during.p50).toBeLessThan(before.p50 * 1.5 + 5)
  expect(grown).toBeLessThan(50)
  expect(server.child?.exitCode).toBeNull()
}, 180_000)
