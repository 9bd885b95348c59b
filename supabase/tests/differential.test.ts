import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, type Scene } from './people.ts'
import { answerOf, fillBrandRows, randomNumbers, randomStatement } from './random-statements.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await fillBrandRows(scene, 'acme')
})
afterAll(() => scene.drop())

describe('another brand’s data', () => {
  it('another brand’s data changes no response, no count and no error text of 520 random statements (5,000 in the long tests)', async () => {
    const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
    const random = randomNumbers(seed)
    const statements = Array.from({ length: 520 }, () => randomStatement(random, scene))
    const client = await scene.owner.connect()
    try {
      const answersBefore: string[] = []
      for (const statement of statements) answersBefore.push((await answerOf(scene, client, statement)).answer)
      await fillBrandRows(scene, 'umbra')
      for (const [index, statement] of statements.entries())
        expect((await answerOf(scene, client, statement)).answer, `SEED=${seed} ${JSON.stringify(statement)}`).toBe(
          answersBefore[index],
        )
      // The test means something only if many responses differ from each other, and more than half of the statements succeed.
      expect(new Set(answersBefore).size).toBeGreaterThan(80)
      expect(answersBefore.filter((result) => /^\[\d/.test(result)).length).toBeGreaterThan(260)
    } finally {
      client.release()
    }
  })

  it('another brand’s data changes the responses of the random statements if a policy shows the tasks of other brands', async () => {
    const leaky = await openScene()
    try {
      await leaky.owner.query('create policy "everybody sees tasks" on tasks for select to authenticated using (true)')
      const random = randomNumbers(1)
      const statements = Array.from({ length: 520 }, () => randomStatement(random, leaky))
      const client = await leaky.owner.connect()
      try {
        const results = async () => {
          const all: string[] = []
          for (const statement of statements) all.push((await answerOf(leaky, client, statement)).answer)
          return all
        }
        const answersBefore = await results()
        await fillBrandRows(leaky, 'umbra')
        expect(await results()).not.toEqual(answersBefore)
      } finally {
        client.release()
      }
    } finally {
      await leaky.drop()
    }
  })
})
