import { afterAll, beforeAll, expect, it } from 'vitest'
import { testClient } from '../harness/client.ts'
import { type MailServer, startMailServer } from '../harness/mail-server.ts'
import { clickLink } from '../harness/mailed-link.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let mail: MailServer
let server: TestServer

beforeAll(async () => {
  mail = await startMailServer()
  server = await startTestServer({ env: { SMTP_URL: mail.url } })
})
afterAll(async () => {
  await server.stop()
  await mail.stop()
})

it('a recovery link removes the password and sessions of a stranger who had signed up with the same e-mail address', async () => {
  const email = 'owner@example.com'
  const owner = server.database!.owner
  const stranger = await testClient(server).auth.signUp({ email, password: 'a stranger chose' })
  const id = stranger.data.user?.id
  await mail.next(email)
  // Simulates a session that began when the server did not require confirmed e-mail addresses yet.
  await owner.query('insert into auth.sessions (id, user_id) values (gen_random_uuid(), $1)', [id])

  // One e-mail address gets one mail per minute.
  await owner.query(`update auth.attempts set at = at - interval '61 s'`)
  expect((await testClient(server).auth.resetPasswordForEmail(email)).error).toBeNull()
  const client = testClient(server)
  const { data, error } = await clickLink(client, await mail.next(email))
  expect([error, data.user?.id]).toEqual([null, id])

  const { rows } = await owner.query('select id from auth.sessions where user_id = $1', [id])
  expect(rows).toHaveLength(1)
  const strangersSignIn = await testClient(server).auth.signInWithPassword({ email, password: 'a stranger chose' })
  expect(strangersSignIn.error?.code).toBe('invalid_credentials')
})
