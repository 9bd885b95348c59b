import { afterAll, beforeAll, expect, it } from 'vitest'
import { openScene, refusalOf, type Scene } from './people.ts'

let scene: Scene

beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())

it('a request of an ended session fails with PT401, which becomes HTTP 401, so that the client asks for a sign-in', async () => {
  await scene.owner.query('delete from auth.sessions where user_id = $1', [scene.ids.bo])
  const bo = scene.as('bo')
  expect(await refusalOf(bo('select pull($1, null)', [scene.acme]))).toBe('PT401 SESSION_ENDED')
})
