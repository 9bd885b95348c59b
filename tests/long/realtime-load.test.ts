import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { signUpPerson } from '../harness/client.ts'
import { anyMessage, sendMessages } from '../harness/fuzz-frames.ts'
import { type LiveSocket, openLiveSocket } from '../harness/live-sockets.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

const brandCount = 20
const socketCount = 500
const durationSeconds = 60
const changesPerSecond = 20

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ run: 'process' })
})
afterAll(() => server?.stop())

/** Returns the resident memory of the server's process (MiB). */
function serverMiB(): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child?.pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

async function makeBrand() {
  const { client } = await signUpPerson(server, `ana-${randomUUID()}@example.org`, 'correct horse')
  const brandId = randomUUID()
  await client.from('brands').insert({ id: brandId, name: brandId, slug: brandId })
  const { data: stage } = await client.from('deal_stages').select('id').eq('brand_id', brandId).limit(1).single()
  const dealId = randomUUID()
  await client.from('deals').insert({ id: dealId, brand_id: brandId, name: 'first', stage_id: stage?.id })
  const { data } = await client.auth.getSession()
  return { client, brandId, dealId, token: data.session?.access_token ?? '' }
}

it(`${socketCount} sockets in ${brandCount} brands receive ${changesPerSecond} changes a second, each once, in order, and none of another brand`, async () => {
  const brands = []
  for (let i = 0; i < brandCount; i++) brands.push(await makeBrand())
  const memoryBefore = serverMiB()
  const sentTimes = new Map<string, number>()
  const sentAt = (name: string) => sentTimes.get(name) ?? Number.NaN
  const sockets: LiveSocket[] = []
  for (let i = 0; i < socketCount; i++) {
    const { token, brandId } = brands[i % brandCount] ?? { token: '', brandId: '' }
    sockets.push(await openLiveSocket(server, { token, brandId, sentAt }))
  }
  const cpuBefore = process.cpuUsage()
  const namesByBrand = new Map<string, string[]>(brands.map(({ brandId }) => [brandId, []]))
  const sentUpdates: PromiseLike<unknown>[] = []
  const startedAt = performance.now()
  for (let i = 0; i < durationSeconds * changesPerSecond; i++) {
    const brand = brands[i % brandCount]
    if (!brand) continue
    const name = `change ${i}`
    namesByBrand.get(brand.brandId)?.push(name)
    sentTimes.set(name, performance.now())
    sentUpdates.push(Promise.resolve(brand.client.from('deals').update({ name }).eq('id', brand.dealId)))
    await new Promise((resolve) =>
      setTimeout(resolve, startedAt + ((i + 1) * 1000) / changesPerSecond - performance.now()),
    )
  }
  await Promise.all(sentUpdates)
  const changesPerBrand = (durationSeconds * changesPerSecond) / brandCount
  await vi.waitFor(() => expect(sockets.every(({ received }) => received.length >= changesPerBrand)).toBe(true), {
    timeout: 20_000,
  })
  const grownMiB = serverMiB() - memoryBefore
  const { user, system } = process.cpuUsage(cpuBefore)
  const delays = sockets.flatMap(({ received }) => received.map(({ delay }) => delay)).sort((a, b) => a - b)
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => Math.round(delays[Math.floor(delays.length * share)] ?? 0))
  console.log(
    `${delays.length} events: p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms; server +${Math.round(grownMiB)} MiB; load generator ${Math.round((user + system) / 1000)} ms of processor time in ${durationSeconds} s`,
  )
  for (const { brandId, received } of sockets) {
    expect(received.map(({ name }) => name)).toEqual(namesByBrand.get(brandId))
    expect(received.every((event) => event.brandId === brandId)).toBe(true)
  }
  for (const socket of sockets) socket.close()
  expect(grownMiB).toBeLessThan(250)
})

it('after 5,000 malformed messages all sockets still get responses, and memory grows by less than 40 MiB', async () => {
  const messages = fc.sample(anyMessage, { numRuns: 5000, seed: 7 })
  await sendMessages(server, messages.slice(0, 1000))
  const memoryBefore = serverMiB()
  const { sockets, answered } = await sendMessages(server, messages.slice(1000))
  console.log(
    `${answered} of ${sockets} sockets still respond; memory ${Math.round(serverMiB() - memoryBefore)} MiB more`,
  )
  expect(answered).toBe(sockets)
  expect(serverMiB() - memoryBefore).toBeLessThan(40)
})
