import { afterAll, beforeAll, expect, it } from 'vitest'
import { openScene, refusal, type Scene } from './people.ts'

let scene: Scene

beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())

it('a session that has ended is told so with PT401, which is 401: the client signs in again', async () => {
  await scene.owner.query('delete from auth.sessions where user_id = $1', [scene.ids.bo])
  const bo = scene.as('bo')
  expect(await refusal(bo('select pull($1, null)', [scene.acme]))).toBe('PT401 SESSION_ENDED')
})
