import { afterAll, beforeAll, test, vi } from 'vitest'
import { simulateLives } from '../harness/simulation/simulate-lives.ts'
import { startWorld, type SimWorld } from '../harness/simulation/sim-world.ts'

// `SEED=… STEPS=30 LIVES=1 npx vitest run tests/api/simulation.test.ts` repeats one life, which is a random sequence of actions and failures.

let world: SimWorld

beforeAll(async () => {
  // Silences the console until the end: failed requests are expected, and a killed page may report one even after the last life.
  for (const name of ['info', 'warn', 'error'] as const) vi.spyOn(console, name).mockImplementation(() => {})
  world = await startWorld()
})
afterAll(() => world.stop())

test(
  'two devices with failing network, disk, clock and process end with the rows of the server, and each acknowledged edit is applied once',
  {
    timeout: 30_000 + Number(process.env.LIVES ?? 20_000) * 5000,
  },
  () => simulateLives(world, { lives: 20_000, steps: 30 }),
)
