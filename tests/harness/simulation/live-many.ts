import { expect } from 'vitest'
import { liveBySeed } from './simulation.ts'
import type { SimWorld } from './sim-world.ts'

/** Lives of seed 1 and on. Environment: SEED (the first one), LIVES (how many), STEPS (of each). */
export async function liveMany(world: SimWorld, given: { lives: number; steps: number }): Promise<void> {
  const first = Number(process.env.SEED ?? 1)
  const lives = Number(process.env.LIVES ?? given.lives)
  const steps = Number(process.env.STEPS ?? given.steps)
  for (let seed = first; seed < first + lives; seed++) {
    const faults = await liveBySeed(world, seed, steps)
    expect({ seed, steps, faults }).toEqual({ seed, steps, faults: [] })
  }
}
