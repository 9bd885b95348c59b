import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startWorld, type SimWorld } from '../harness/simulation/sim-world.ts'
import { liveBySeed } from '../harness/simulation/simulation.ts'

/** `SEED=… LIVES=1 npx vitest run tests/api/simulation.test.ts` repeats one life; `STEPS` as it was. */
const isLong = process.env.BANYAN_LONG === '1'
const first = Number(process.env.SEED ?? 1)
const lives = Number(process.env.LIVES ?? (isLong ? 20_000 : 200))
const steps = Number(process.env.STEPS ?? (isLong ? 30 : 12))
let world: SimWorld

beforeAll(async () => {
  // Requests that fail are what this is about; a killed page may still report some after the last life.
  for (const name of ['warn', 'error'] as const) vi.spyOn(console, name).mockImplementation(() => {})
  world = await startWorld()
})
afterAll(() => world.stop())

test('two devices whose network, disk, clock and process fail end with what the server has, and every acknowledged edit is there once', {
  timeout: 30_000 + lives * 5000,
}, async () => {
  for (let seed = first; seed < first + lives; seed++) {
    const faults = await liveBySeed(world, seed, steps)
    expect({ seed, steps, faults }).toEqual({ seed, steps, faults: [] })
  }
})
