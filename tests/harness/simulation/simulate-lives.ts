import { expect } from 'vitest'
import { simulateLife } from './simulation.ts'
import type { SimWorld } from './sim-world.ts'

/**
 * Simulates lives (random sequences of events), each from its own seed, and expects no errors. Environment: SEED (the first seed; the next life
 * has the next number), LIVES (the number of lives), STEPS (events per life).
 */
export async function simulateLives(world: SimWorld, given: { lives: number; steps: number; isWindowed?: boolean }) {
  const firstSeed = Number(process.env.SEED ?? 1)
  const lifeCount = Number(process.env.LIVES ?? given.lives)
  const steps = Number(process.env.STEPS ?? given.steps)
  for (let seed = firstSeed; seed < firstSeed + lifeCount; seed++) {
    const errors = await simulateLife(world, seed, steps, given.isWindowed)
    // Fails with a text, because the summary of the tests shows only the beginning of a compared object.
    if (errors.length > 0) expect.fail(`Seed ${seed}, ${steps} steps:\n${errors.join('\n')}`)
  }
}
