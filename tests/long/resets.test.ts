import { afterAll, beforeAll, expect, it } from 'vitest'
import { lowestResidentMiB, residentMiB, measureSmallRequests } from '../harness/measure-requests.ts'
import { type ResetServer, startResetServer } from '../harness/reset-server.ts'
import { resetMany } from '../harness/resets.ts'
import { seededRandom } from '../harness/seeded-random.ts'

const resetCount = 20_000
/** Number of resets before the measurement. They fill caches and prepare plans, so that this memory does not count as growth. */
const warmUpCount = 5_000
const maxParallel = 16
const firstSeed = Number(process.env.SEED ?? 20_000)

let target: ResetServer

beforeAll(async () => {
  target = await startResetServer()
})
afterAll(() => target?.stop())

it(`after ${resetCount} connections were reset at random points the same process serves members, and memory does not grow`, async () => {
  const { server, kinds, member, brandId } = target
  const pid = server.child?.pid as number
  const random = seededRandom(firstSeed)
  const resetConnections = (count: number) => resetMany(server.url, kinds, { count, together: maxParallel, random })
  let peakMiB = 0
  const memoryTimer = setInterval(() => {
    peakMiB = Math.max(peakMiB, residentMiB(pid))
  }, 250)

  await resetConnections(warmUpCount)
  const restingMiBBefore = await lowestResidentMiB(pid)
  const peakBefore = Math.round(peakMiB)
  const measurement = measureSmallRequests(member, brandId)
  const startedAt = performance.now()
  await resetConnections(resetCount)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const figures = await measurement.stop()
  clearInterval(memoryTimer)
  const restingMiBAfter = await lowestResidentMiB(pid)

  console.log(`${resetCount} resets of ${kinds.length} kinds in ${seconds} s, seed ${firstSeed}`, figures)
  console.log(
    `RSS at rest ${restingMiBBefore} -> ${restingMiBAfter} MiB, peak ${peakBefore} -> ${Math.round(peakMiB)} MiB`,
  )
  expect(server.child?.exitCode).toBeNull()
  expect(server.child?.signalCode).toBeNull()
  expect(figures.failures).toEqual([])
  expect(figures.p95).toBeLessThan(300)
  expect(restingMiBAfter - restingMiBBefore).toBeLessThan(50)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
})
