import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { untilLockWait } from '#tests/harness/lock-wait.ts'
import { openScene, refusalOf, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())

/** Opens a transaction in another session of Bo. `makeFeed` creates a calendar feed in it. */
async function openSecondSession() {
  const id = randomUUID()
  await scene.owner.query('insert into auth.sessions (id, user_id) values ($1, $2)', [id, scene.ids.bo])
  const client = await scene.owner.connect()
  await client.query('begin')
  await client.query(`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`, [
    JSON.stringify({ role: 'authenticated', sub: scene.ids.bo, session_id: id }),
  ])
  return { id, client, makeFeed: () => client.query<{ secret: string }>('select make_calendar_feed() as secret') }
}
const feedOf = async (secret: unknown) =>
  (await scene.owner.query<{ feed: unknown }>('select private.calendar_of($1) as feed', [secret])).rows[0]?.feed

it.each([
  ['end_other_sessions', () => scene.as('bo')('select end_other_sessions()')],
  ['end_session', (id: string) => scene.as('bo')('select end_session($1)', [id])],
])('a calendar feed that a session creates while %s ends the session is ended with the session', async (_, end) => {
  const { id, client, makeFeed } = await openSecondSession()
  const { rows } = await makeFeed()
  const ending = end(id)
  await Promise.race([ending, untilLockWait(scene.owner)])
  await client.query('commit')
  client.release()
  await ending
  expect(await feedOf(rows[0]?.secret)).toBeNull()
})

it('a session that ends before it has created a calendar feed creates none', async () => {
  const { id, client, makeFeed } = await openSecondSession()
  const endingClient = await scene.owner.connect()
  await endingClient.query('begin')
  await endingClient.query('delete from auth.sessions where id = $1', [id])
  const makeRefusal = refusalOf(makeFeed())
  await untilLockWait(scene.owner)
  await endingClient.query('commit')
  endingClient.release()
  expect(await makeRefusal).toBe('P0001 NOT_AUTHORIZED')
  await client.query('rollback')
  client.release()
})
