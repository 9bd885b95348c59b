import { afterAll, beforeAll, expect, it } from 'vitest'
import { kindsNeverDone, runLives } from '../harness/lives/run-lives.ts'
import { type Mode, openSites, type Site } from '../harness/lives/site.ts'

let sites: Record<Mode, Site>
beforeAll(async () => {
  sites = await openSites()
})
afterAll(() => Promise.all(Object.values(sites).map((site) => site.stop())))

it('in 2,000 random lives (sequences of actions) three people read and change nothing without permission', async () => {
  const { lives, seed, done } = await runLives(sites, { count: 2_000, parallelSequences: 6, maxMs: 1_700_000 })
  console.log(`${lives} lives, LIVES_SEED=${seed}: no leak;`, Object.fromEntries(done))
  // An action that never succeeds would not be tested.
  if (lives >= 1_000) expect(kindsNeverDone(done)).toEqual([])
}, 1_800_000)
