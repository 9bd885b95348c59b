import { afterAll, beforeAll, expect, it } from 'vitest'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { signUpPerson } from '../harness/client.ts'
import { untilLockWait } from '../harness/lock-wait.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const knownPassword = 'correct horse'

it.each([
  ['the password is changed', `encrypted_password = 'another hash'`],
  ['the account is blocked', `banned_until = 'infinity'`],
])('a sign-in whose password was checked just before %s starts no session', async (_, change) => {
  const email = `${crypto.randomUUID()}@example.com`
  const { user } = await signUpPerson(server, email, knownPassword)
  const owner = server.database?.owner
  if (!owner) throw new Error('the server runs elsewhere')
  const changingClient = await owner.connect()
  await changingClient.query('begin')
  await changingClient.query(`update auth.users set ${change} where id = $1`, [user.id])
  await changingClient.query('delete from auth.sessions where user_id = $1', [user.id])
  const response = authRequest(server, '/token?grant_type=password', { body: { email, password: knownPassword } })
  await untilLockWait(owner)
  await changingClient.query('commit')
  changingClient.release()

  expect(refusalOf(await response)).toEqual([400, 'invalid_credentials'])
  const { rows } = await owner.query('select from auth.sessions where user_id = $1', [user.id])
  expect(rows).toEqual([])
})
