import { afterAll, beforeAll, expect, it } from 'vitest'
import { lowestResidentMiB, residentMiB, measureSmallRequests } from '../harness/member-pulse.ts'
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
  const reset = (count: number) => resetMany(server.url, kinds, { count, together: maxParallel, random })
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, residentMiB(pid))
  }, 250)

  await reset(warmUpCount)
  const before = await lowestResidentMiB(pid)
  const peakBefore = Math.round(peak)
  const pulse = measureSmallRequests(member, brandId)
  const started = performance.now()
  await reset(resetCount)
  const seconds = Math.round((performance.now() - started) / 1000)
  const figures = await pulse.stop()
  clearInterval(watch)
  const after = await lowestResidentMiB(pid)

  console.log(`${resetCount} resets of ${kinds.length} kinds in ${seconds} s, seed ${firstSeed}`, figures)
  console.log(`RSS at rest ${before} -> ${after} MiB, peak ${peakBefore} -> ${Math.round(peak)} MiB`)
  expect(server.child?.exitCode).toBeNull()
  expect(server.child?.signalCode).toBeNull()
  expect(figures.failures).toEqual([])
  expect(figures.p95).toBeLessThan(300)
  expect(after - before).toBeLessThan(50)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
})
