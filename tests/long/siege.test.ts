import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signUpPerson } from '../harness/client.ts'
import { fillWithWideRecords, hostileAttack } from '../harness/hostile-attack.ts'
import { lowestResidentMiB, residentMiB, measureSmallRequests } from '../harness/measure-requests.ts'
import { bindings, openRawSocket, type RawSocket } from '../harness/raw-socket.ts'
import { type ResetServer, startResetServer } from '../harness/reset-server.ts'
import { resetMany } from '../harness/resets.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { poolOf } from '../harness/pool-of.ts'

// This test runs all attacks at once against one server: resets, hostile requests of a signed-up user, anonymous sockets.
const resetCount = 20_000
const requestCount = 5_000
const socketCount = 300
const firstSeed = Number(process.env.SEED ?? 20_261)

let target: ResetServer
let owner: Pool
let eve: { token: string; brandId: string }

beforeAll(async () => {
  target = await startResetServer()
  const { server } = target
  owner = poolOf(server.databaseUrl)
  const { client, session, user } = await signUpPerson(server, 'eve@example.org')
  eve = { token: session.access_token, brandId: randomUUID() }
  const { error } = await client.from('brands').insert({ id: eve.brandId, name: 'Umbra' })
  if (error) throw error
  await fillWithWideRecords(owner, eve.brandId, user.id)
})
afterAll(async () => {
  await owner?.end()
  await target?.stop()
})

async function attack(share: number, seed: number) {
  const { server, kinds } = target
  const sockets: RawSocket[] = []
  const openSockets = async () => {
    for (let i = 0; i < socketCount * share; i++) {
      const socket = await openRawSocket(server, '127.0.0.1').catch(() => null)
      if (!socket) continue
      sockets.push(socket)
      for (let join = 0; join < 20; join++)
        socket.send(String(join), String(join), `realtime:c${join}`, 'phx_join', { config: bindings(100) })
    }
  }
  const requests = { ...eve, seed, requests: requestCount * share, together: 24 }
  const resets = { count: resetCount * share, together: 16, random: seededRandom(seed) }
  const [hostileOutcome] = await Promise.all([
    hostileAttack(server, requests),
    resetMany(server.url, kinds, resets),
    openSockets(),
  ])
  for (const socket of sockets) socket.close()
  return { ...hostileOutcome, sockets: sockets.length }
}

it(`members are served during ${resetCount} resets, ${requestCount} hostile requests and ${socketCount} anonymous sockets at once`, async () => {
  const { server, member, brandId } = target
  const pid = server.child?.pid as number
  await attack(0.2, firstSeed)
  const restingMiBBefore = await lowestResidentMiB(pid)
  let peakMiB = 0
  const memoryTimer = setInterval(() => {
    peakMiB = Math.max(peakMiB, residentMiB(pid))
  }, 50)
  const measurement = measureSmallRequests(member, brandId)
  const startedAt = performance.now()
  const outcome = await attack(1, firstSeed + 1)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const figures = await measurement.stop()
  clearInterval(memoryTimer)
  const restingMiBAfter = await lowestResidentMiB(pid)

  console.log(`${seconds} s, seed ${firstSeed}`, outcome, figures)
  console.log(`RSS at rest ${restingMiBBefore} -> ${restingMiBAfter} MiB, peak ${Math.round(peakMiB)} MiB`)
  expect([server.child?.exitCode, server.child?.signalCode]).toEqual([null, null])
  expect(figures.failures).toEqual([])
  expect(figures.p95).toBeLessThan(300)
  expect(restingMiBAfter - restingMiBBefore).toBeLessThan(50)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
})
