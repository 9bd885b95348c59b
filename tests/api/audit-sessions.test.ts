import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { authRequest } from '../harness/auth-request.ts'
import { signUpPerson, testClient } from '../harness/client.ts'
import { type MailServer, startMailServer } from '../harness/mail-server.ts'
import { clickLink } from '../harness/mailed-link.ts'
import { query } from '../harness/query.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { totpCode } from '../harness/totp.ts'

let mail: MailServer
let server: TestServer

beforeAll(async () => {
  mail = await startMailServer()
  server = await startTestServer({ env: { SMTP_URL: mail.url, EMAIL_CONFIRMATION: 'off' } })
})
afterAll(async () => {
  await server.stop()
  await mail.stop()
})

const sessionOf = (token: string | undefined) => String(decodeJwt(token ?? '').session_id)

/** Returns the action and the session id of each entry of the audit log about a person, oldest first. */
const auditLines = async (userId: string) =>
  (
    await query<{ action: string; session: string | null }>(
      server,
      `select payload ->> 'action' as action, payload ->> 'session_id' as session from auth.audit_log_entries
       where payload ->> 'actor_id' = $1 order by created_at`,
      userId,
    )
  ).map(({ action, session }) => [action, session])

it('each logged event of an account has the id of its session, if there is one', async () => {
  const { client, user, session } = await signUpPerson(server, 'ana@example.com')
  const first = sessionOf(session.access_token)
  await testClient(server).auth.signInWithPassword({ email: 'ana@example.com', password: 'wrong horse' })
  const otherClient = testClient(server)
  const { data: signedIn } = await otherClient.auth.signInWithPassword({
    email: 'ana@example.com',
    password: 'correct horse',
  })
  const second = sessionOf(signedIn.session?.access_token)
  await otherClient.auth.signOut({ scope: 'local' })
  await client.auth.updateUser({ password: 'a better staple' })
  await client.auth.updateUser({ email: 'moved@example.com' })
  const { data: app } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })
  const factorId = app?.id ?? ''
  await client.auth.mfa.challengeAndVerify({ factorId, code: 'wrong' })
  await client.auth.mfa.challengeAndVerify({ factorId, code: totpCode(app?.totp.secret ?? '') })
  const token = (await client.auth.getSession()).data.session?.access_token ?? ''
  const creation = await authRequest(server, '/factors/recovery-codes', { token, body: {} })
  for (const code of ['wrong', (creation.body.codes as string[])[0]])
    await authRequest(server, '/factors/recovery-codes/verify', { token, body: { code } })
  await authRequest(server, '/factors/recovery-codes', { token, method: 'DELETE' })
  // The deleted factor had raised the session's level, so the session must verify the authenticator app again.
  await client.auth.mfa.challengeAndVerify({ factorId, code: totpCode(app?.totp.secret ?? '', 1) })
  await client.auth.mfa.unenroll({ factorId })
  await testClient(server).auth.resetPasswordForEmail('moved@example.com')
  const recoveringClient = testClient(server)
  const { data: recovered } = await clickLink(recoveringClient, await mail.next('moved@example.com', /new password/))
  expect(await auditLines(user.id)).toEqual([
    ['user_signedup', first],
    ['login_failed', null],
    ['login', second],
    ['logout', second],
    ['user_updated_password', first],
    ['user_modified', first],
    ['mfa_failed', first],
    ['factor_verified', first],
    ['recovery_codes_generated', first],
    ['mfa_failed', first],
    ['recovery_code_used', first],
    ['factor_deleted', first],
    ['factor_deleted', first],
    ['user_recovery_requested', null],
    ['login', sessionOf(recovered.session?.access_token)],
  ])
})
