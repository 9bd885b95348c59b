import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { simulateLives } from '../harness/simulation/simulate-lives.ts'
import { firstLookComparisons } from '../harness/simulation/sim-board.ts'
import { startWorld, type SimWorld } from '../harness/simulation/sim-world.ts'

/** `SEED=… LIVES=1 npx vitest run tests/api/simulation.test.ts` repeats one life, a random sequence of events. tests/long has 20,000 longer lives. */
let world: SimWorld

beforeAll(async () => {
  // Failing requests are expected here; a killed page may still report some after the last life.
  for (const name of ['info', 'warn', 'error'] as const) vi.spyOn(console, name).mockImplementation(() => {})
  world = await startWorld()
})
afterAll(async () => {
  await world.stop()
  vi.restoreAllMocks()
})

test('two devices with failing network, disk, clock and process end with the rows of the server, and each acknowledged edit is applied once', {
  timeout: 30_000 + Number(process.env.LIVES ?? 200) * 5000,
}, async () => {
  await simulateLives(world, { lives: 200, steps: 12 })
  // A single life may contain no moment in which a device is opened again while its snapshot of the first screen is valid.
  if (!process.env.SEED) expect(firstLookComparisons.compared).toBeGreaterThan(0)
})
