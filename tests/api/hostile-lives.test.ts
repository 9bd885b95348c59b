import { afterAll, beforeAll, expect, it } from 'vitest'
import { knownLives } from '../harness/lives/known-lives.ts'
import { runLife } from '../harness/lives/run-life.ts'
import { runLives } from '../harness/lives/run-lives.ts'
import { type Mode, openSites, type Site } from '../harness/lives/site.ts'

let sites: Record<Mode, Site>
beforeAll(async () => {
  sites = await openSites()
})
afterAll(() => Promise.all(Object.values(sites).map((site) => site.stop())))

it.each(knownLives)('a leak that was found earlier stays closed: %s', async (_name, life) => {
  await runLife(sites, life)
})

it('if two people ask for the same new address, each mailed link confirms only the change of the account that asked', async () => {
  const step = { brand: 0, role: 'member', isVariant: false } as const
  const doneKinds = await runLife(sites, {
    theme: 'known',
    mode: 'mailed',
    isTeam: false,
    steps: [
      { ...step, kind: 'change address', who: 0, itemIndex: 0, affectedIndex: 1 },
      { ...step, kind: 'change address', who: 2, itemIndex: 0, affectedIndex: 1 },
      { ...step, kind: 'use link', who: 0, itemIndex: 1, affectedIndex: 1 },
      { ...step, kind: 'use link', who: 0, itemIndex: 0, affectedIndex: 1 },
    ],
  })
  expect([...doneKinds].sort()).toEqual(['change address', 'use link'])
})

it('in 20 random lives (sequences of actions) three people read and change nothing without permission', async () => {
  const { lives, seed, done } = await runLives(sites, { count: 20, seed: 2026, parallelSequences: 4, maxMs: 500_000 })
  console.log(`${lives} lives, LIVES_SEED=${seed}: no leak;`, Object.fromEntries(done))
  if (lives >= 20 && !process.env.LIVES_THEME) expect(done.size).toBeGreaterThan(15)
}, 540_000)
