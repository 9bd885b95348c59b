import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '#server/db/project-root.ts'
import { signUpPerson, testClient } from '../harness/client.ts'
import { linkParameters } from '../harness/mailed-link.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { totpCode } from '../harness/totp.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

/** Runs an admin command while the server runs. `output` is stdout and stderr. */
async function admin(...args: string[]): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(projectRoot(), 'scripts/admin.ts'), ...args], {
    cwd: projectRoot(),
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      DATA_DIR: server.dataDir,
      SITE_URL: server.url,
      DATABASE_URL: server.databaseUrl ?? '',
    },
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = await once(child, 'close')
  return { code, output }
}

describe('npm run admin', () => {
  it('npm run admin lists its commands, and shows help for each', async () => {
    const { output } = await admin('--help')
    const names = [...output.matchAll(/-- (\S+)/g)].map(([, name]) => name ?? '')
    expect(names).toEqual(
      'users sessions reset-password confirm-email remove-factor block unblock audit rotate-keys'.split(' '),
    )
    for (const name of names) {
      const help = await admin(name, '--help')
      expect([name, help.code, help.output.includes(`npm run admin -- ${name}`)]).toEqual([name, 0, true])
    }
    expect((await admin('nonsense')).code).toBe(1)
    expect(await admin('sessions')).toMatchObject({ code: 1, output: expect.stringContaining('Usage') })
  }, 60_000)

  it('npm run admin resets a password, removes a second factor and ends all sessions', async () => {
    const { client, user } = await signUpPerson(server, 'ana@example.com')
    const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })
    await client.auth.mfa.challengeAndVerify({ factorId: data?.id ?? '', code: totpCode(data?.totp.secret ?? '') })
    expect((await admin('users', 'ANA@')).output).toMatch(/ana@example\.com .* 1 +1$/m)
    expect((await admin('sessions', 'ana@example.com')).output).toMatch(/aal2/)

    expect((await admin('remove-factor', 'ana@example.com')).output).toContain('1 removed')
    expect((await admin('sessions', 'ana@example.com', '--end')).output).toContain('1 session ended.')
    expect((await client.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
    const link = new URL((await admin('reset-password', 'ana@example.com')).output.trim())
    expect(link.origin).toBe(server.url)
    const recoveredClient = testClient(server)
    const { error } = await recoveredClient.auth.verifyOtp({
      token_hash: linkParameters(link.href).get('token_hash') ?? '',
      type: 'recovery',
    })
    expect(error).toBeNull()
    expect((await recoveredClient.auth.updateUser({ password: 'the new horse' })).error).toBeNull()
    const audit = (await admin('audit', 'ana@example.com')).output
    for (const action of ['user_updated_password', 'user_recovery_requested', 'factor_deleted', 'factor_verified'])
      expect(audit).toContain(action)
    expect(user.email).toBe('ana@example.com')
  }, 60_000)

  it('npm run admin blocks and unblocks an account', async () => {
    await signUpPerson(server, 'bo@example.com')
    const signIn = () =>
      testClient(server).auth.signInWithPassword({ email: 'bo@example.com', password: 'correct horse' })
    await admin('block', 'bo@example.com')
    expect((await signIn()).error?.code).toBe('user_banned')
    await admin('unblock', 'bo@example.com')
    expect((await signIn()).error).toBeNull()
    expect((await admin('block', 'nobody@example.com')).output).toContain(
      'Nobody has an account with nobody@example.com.',
    )
  }, 60_000)
})
