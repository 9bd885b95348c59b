import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'

vi.setConfig({ testTimeout: 120_000 })
import { openScene, type Person, type Scene } from './people.ts'

const contactCount = 160
const rounds = 3

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  // PostgreSQL detects a deadlock early, so that the test does not wait for it.
  await scene.owner.query(`alter system set deadlock_timeout = '50ms'`)
  await scene.owner.query('select pg_reload_conf()')
  await scene.owner.query(
    `insert into custom_fields (brand_id, "table", label, type) values ($1, 'contacts', 'Region', 'text')`,
    [scene.acme],
  )
})
afterAll(async () => {
  await scene.owner.query('alter system reset deadlock_timeout')
  await scene.owner.query('select pg_reload_conf()')
  await scene.drop()
})
beforeEach(async () => {
  await scene.owner.query('delete from contacts where brand_id = $1', [scene.acme])
  await scene.owner.query('delete from tags where brand_id = $1', [scene.acme])
})

type Row = Record<string, unknown>
const indexes = Array.from({ length: contactCount }, (_, index) => index)
const email = (index: number) => `p${index}@x.y`

/** Imports rows, and returns the reasons of the rows that failed, each reason once. */
async function importRows(by: Person, rows: readonly Row[], importId = randomUUID()): Promise<string[]> {
  const chunk = JSON.stringify(rows.map((row, index) => ({ row: index + 2, ...row })))
  const { rows: answers } = await scene.as(by)<{ answer: { status: string; reason: string | null }[] }>(
    'select import_contacts($1, $2, $3) as answer',
    [scene.acme, importId, chunk],
  )
  return [...new Set(answers[0]?.answer.filter(({ status }) => status === 'error').map(({ reason }) => String(reason)))]
}

/** Returns the number of deadlocks that the database has found so far. */
async function deadlocks(): Promise<number> {
  await scene.owner.query('select pg_stat_force_next_flush()')
  // Other sessions report their deadlocks a moment after their transactions.
  await new Promise((resolve) => setTimeout(resolve, 1200))
  const { rows } = await scene.owner.query<{ deadlocks: string }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  return Number(rows[0]?.deadlocks)
}

/** Runs the imports of `startImports` simultaneously, in several rounds. Returns the errors of all rounds, and the number of deadlocks. */
async function runTogether(startImports: (round: number) => Promise<string[] | undefined>[]) {
  const before = await deadlocks()
  const errors: string[] = []
  for (let round = 0; round < rounds; round++) {
    for (const end of await Promise.allSettled(startImports(round))) {
      if (end.status === 'rejected') errors.push((end.reason as Error).message)
      else errors.push(...(end.value ?? []))
    }
  }
  return { errors, deadlocks: (await deadlocks()) - before }
}
const noProblems = { errors: [], deadlocks: 0 }

it.each(['tags', 'custom'])(
  'two simultaneous imports change the same contacts without a deadlock: each gives %s to the contacts whose first names the other one changes',
  async (what) => {
    await importRows(
      'ana',
      indexes.map((index) => ({ email: email(index) })),
    )
    const addedFields = (round: number) =>
      what === 'tags' ? { tags: `Round ${round}` } : { custom: { region: `R${round}` } }
    const file = (half: number, round: number) =>
      indexes.map((index) => ({
        email: email(index),
        ...(index % 2 === half ? { first_name: `${half}.${round}` } : addedFields(round)),
      }))
    expect(
      await runTogether((round) => [importRows('ana', file(0, round)), importRows('cy', file(1, round).toReversed())]),
    ).toEqual(noProblems)
  },
)

it('two simultaneous imports add the same new people in opposite order without a deadlock, even if each file contains each person twice', async () => {
  const file = (round: number) =>
    indexes.map((index) => ({
      email: `n${round}.${index % (contactCount / 2)}@x.y`,
      first_name: `${index}`,
      company: `Co ${index % 9}`,
    }))
  expect(
    await runTogether((round) => [importRows('ana', file(round)), importRows('cy', file(round).toReversed())]),
  ).toEqual(noProblems)
  const { rows } = await scene.owner.query('select count(*)::int as count from contacts where brand_id = $1', [
    scene.acme,
  ])
  expect(rows).toEqual([{ count: (rounds * contactCount) / 2 }])
})

it('two simultaneous imports add the same new tags in opposite order without a deadlock', async () => {
  await importRows(
    'ana',
    indexes.map((index) => ({ email: email(index) })),
  )
  const file = (half: number, round: number) =>
    indexes
      .filter((index) => index % 2 === half && index < 80)
      .map((index) => ({ email: email(index), tags: `T${round}.${Math.floor(index / 2)}` }))
  expect(
    await runTogether((round) => [importRows('ana', file(0, round)), importRows('cy', file(1, round).toReversed())]),
  ).toEqual(noProblems)
})

it('an import can be undone while its last chunk and another file are written', async () => {
  const undo = async (importId: string) => {
    await scene.as('bo')('select undo_import($1, $2)', [scene.acme, importId])
    return undefined
  }
  expect(
    await runTogether((round) => {
      const importId = randomUUID()
      const before = indexes.map((index) => ({ email: email(index), title: `T${round}` }))
      const chunk = indexes
        .map((index) => ({ email: `${index % 2 ? 'n' : 'p'}${index}@x.y`, phone: `0${round}` }))
        .toReversed()
      return [
        importRows('ana', before, importId).then(() =>
          Promise.all([importRows('ana', chunk, importId), undo(importId), importRows('cy', before.toReversed())]).then(
            (ends) => ends.flatMap((end) => end ?? []),
          ),
        ),
      ]
    }),
  ).toEqual(noProblems)
})
