import { afterAll, beforeAll, expect, it } from 'vitest'
import { openScene, type Scene } from '../../supabase/tests/people.ts'
import {
  answerOf,
  emptyBrandRows,
  fillBrandRows,
  randomNumbers,
  randomStatement,
} from '../../supabase/tests/random-statements.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await fillBrandRows(scene, 'acme', 20)
})
afterAll(() => scene.drop())

/** Runs the statements one after another. Returns the response and the duration (ms) of each. */
async function runStatements(statements: readonly Parameters<typeof answerOf>[2][]) {
  const client = await scene.owner.connect()
  try {
    const results = []
    for (const statement of statements) results.push(await answerOf(scene, client, statement))
    return results
  } finally {
    client.release()
  }
}

it('the data of another brand changes neither the responses of 5,000 random statements nor the time that they take', async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  const random = randomNumbers(seed)
  const statements = Array.from({ length: 5_000 }, () => randomStatement(random, scene))
  await runStatements(statements)
  const before = await runStatements(statements)
  await fillBrandRows(scene, 'umbra', 20)
  await scene.owner.query('analyze')
  const withOtherBrand = await runStatements(statements)
  await emptyBrandRows(scene, 'umbra')
  await scene.owner.query('vacuum analyze')
  const after = await runStatements(statements)

  for (const [index, statement] of statements.entries()) {
    expect(withOtherBrand[index]?.answer, `SEED=${seed} ${JSON.stringify(statement)}`).toBe(before[index]?.answer)
    expect(after[index]?.answer).toBe(before[index]?.answer)
  }
  // Only the median of the ratios is checked, because single times vary with other load on the machine.
  const ratios = withOtherBrand.map(({ milliseconds }, index) => {
    const [timeBefore, timeAfter] = [before[index]?.milliseconds ?? 1, after[index]?.milliseconds ?? 1]
    return milliseconds / ((timeBefore + timeAfter) / 2)
  })
  const medianRatio = ratios.toSorted((a, b) => a - b)[2_500] ?? Number.NaN
  console.log(`5,000 statements, SEED=${seed}: time with the other brand's data / without = ${medianRatio.toFixed(3)}`)
  expect(medianRatio).toBeLessThan(1.2)
})
