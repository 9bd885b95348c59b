import { afterAll, beforeAll, test, vi } from 'vitest'
import type * as modes from '#web/data/store/modes.ts'
import { simulateLives } from '../harness/simulation/simulate-lives.ts'
import { startWorld, type SimWorld } from '../harness/simulation/sim-world.ts'

/** The devices of these lives store only a part of their brand. `SEED=… LIVES=1 npx vitest run` with this file repeats one life. */

/** Each row counts as this number of rows, so that a table with two or three rows is windowed, and may become complete again. */
const rowsPerRow: Record<string, number> = { deals: 8000, tasks: 8000, contacts: 6000, companies: 6000 }
vi.mock('#web/data/store/modes.ts', async (importOriginal): Promise<typeof modes> => {
  const { modeFor } = await importOriginal<typeof modes>()
  return { modeFor: (table, count, current) => modeFor(table, count * (rowsPerRow[table] ?? 1), current) }
})

let world: SimWorld

beforeAll(async () => {
  for (const name of ['warn', 'error'] as const) vi.spyOn(console, name).mockImplementation(() => {})
  world = await startWorld()
})
afterAll(() => world.stop())

test('two devices that store only parts of a brand show the lists, columns and figures of the server after a life with faults', {
  timeout: 30_000 + Number(process.env.LIVES ?? 50) * 5000,
}, async () => {
  await simulateLives(world, { lives: 50, steps: 12, isWindowed: true })
})
