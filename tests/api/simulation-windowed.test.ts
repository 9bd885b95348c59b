import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { simulateLives } from '../harness/simulation/simulate-lives.ts'
import { startWorld, type SimWorld } from '../harness/simulation/sim-world.ts'

/** The devices of these lives store only a part of their brand. `SEED=… LIVES=1 npx vitest run` with this file repeats one life. */

/** A table with two or three rows is windowed, and may become complete again. */
const maxCompleteRows = { deals: 2.5, tasks: 2.5, contacts: 1.7, companies: 1.7 }

let world: SimWorld

beforeAll(async () => {
  for (const name of ['info', 'warn', 'error'] as const) vi.spyOn(console, name).mockImplementation(() => {})
  world = await startWorld(maxCompleteRows)
})
afterAll(async () => {
  await world.stop()
  vi.restoreAllMocks()
})

test('two devices that store only parts of a brand show the lists, columns and figures of the server after a life with faults', {
  timeout: 30_000 + Number(process.env.LIVES ?? 50) * 5000,
}, async () => {
  await simulateLives(world, { lives: 50, steps: 12, isWindowed: true })
  // At the end of a single life all tables may be complete.
  if (!process.env.SEED && !process.env.LIVES) expect(world.windowedLives).toBeGreaterThan(10)
})
