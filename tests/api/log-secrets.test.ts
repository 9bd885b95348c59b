import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { authRequest } from '../harness/auth-request.ts'
import { signUpPerson, testClient } from '../harness/client.ts'
import { startTestServer } from '../harness/server.ts'
import { totpCode } from '../harness/totp.ts'

it('the log of a whole journey, at its most talkative, holds no password, token, secret, code or address', async () => {
  // By a name that is not this machine's, links are not printed for whoever sits here.
  const server = await startTestServer({
    run: 'process',
    env: { LOG_LEVEL: 'trace', SITE_URL: 'http://crm.test' },
  })
  const here = { ...server, url: `http://127.0.0.1:${server.port}` }
  let log = ''
  server.child?.stdout?.on('data', (chunk: Buffer) => (log += chunk.toString()))
  server.child?.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const secrets: Record<string, string | undefined> = {}

  const email = 'ana.secretive@example.com'
  const { client, session } = await signUpPerson(here, email, 'first horse')
  secrets.password = 'first horse'
  secrets['access token'] = session.access_token.split('.')[2]
  secrets['refresh token'] = session.refresh_token
  secrets['wrong password'] = 'wrong stallion'
  await testClient(here).auth.signInWithPassword({ email, password: 'wrong stallion' })
  await testClient(here).auth.signInWithPassword({ email: 'nobody.at.all@example.com', password: 'wrong stallion' })
  await authRequest(here, '/token?grant_type=password', { body: `{"email":"${email}","password":"half a horse` })
  secrets['password in broken JSON'] = 'half a horse'

  const { data: totp } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })
  secrets['TOTP secret'] = totp?.totp.secret
  const code = totpCode(totp?.totp.secret ?? '')
  await client.auth.mfa.challengeAndVerify({ factorId: totp?.id ?? '', code: 'wrong' })
  const { data: risen } = await client.auth.mfa.challengeAndVerify({ factorId: totp?.id ?? '', code })
  secrets['second refresh token'] = risen?.refresh_token
  const codes = await authRequest(here, '/factors/recovery-codes', { token: risen?.access_token ?? '', body: {} })
  secrets['recovery code'] = (codes.body.codes as string[])[0]
  const { data: phone } = await client.auth.mfa.enroll({
    factorType: 'phone',
    phone: '+447700900987',
    friendlyName: 'p',
  })
  await client.auth.mfa.challenge({ factorId: phone?.id ?? '' })
  secrets.phone = '447700900987'
  await client.auth.updateUser({ password: 'second horse', current_password: 'first horse' })
  secrets['new password'] = 'second horse'

  await testClient(here).auth.resetPasswordForEmail(email)
  const id = crypto.randomUUID()
  await client.from('brands').insert({ id, name: 'A very private name' })
  await client.from('companies').select('*').eq('name', 'filter-with-a-name')
  await client.rpc('upsert_contact', { p_brand_id: id, p_email: 'contact.of.ours@example.com' })
  await client.from('companies').insert({ brand_id: id, name: 'x'.repeat(5000) })
  await fetch(`${here.url}/auth/v1/user?access_token=in-the-address`, { headers: { apikey: server.publishableKey } })
  await fetch(`${here.url}/auth/v1/verify?x=a%0d%0a{"level":60,"msg":"forged"}`, {
    headers: { apikey: server.publishableKey },
  })
  await expect
    .poll(
      async () => (await readdir(join(server.dataDir, 'outbox'))).filter((name) => /recovery.*txt$/.test(name)).length,
    )
    .toBe(1)
  const outbox = await readdir(join(server.dataDir, 'outbox'))
  const mail = await readFile(
    join(server.dataDir, 'outbox', outbox.find((name) => /recovery.*txt$/.test(name)) ?? ''),
    'utf8',
  )
  secrets['link of a mail'] = /token_hash=([\w-]{64})/.exec(mail)?.[1]
  const message = await readFile(join(server.dataDir, 'outbox', outbox.find((name) => /sms/.test(name)) ?? ''), 'utf8')
  secrets['code for a phone'] = / is (\d{6})\./.exec(message)?.[1]
  const { secretKey } = server
  secrets['secret key'] = secretKey
  secrets['key file'] = JSON.parse(await readFile(join(server.dataDir, 'keys.json'), 'utf8')).signingKeys[0].d
  await server.stop()

  expect(log.split('\n').filter((line) => line.includes('/auth/v1/')).length).toBeGreaterThan(10)
  const [missing, found] = [[] as string[], [] as string[]]
  for (const [name, secret] of Object.entries({
    ...secrets,
    'e-mail address': 'ana.secretive',
    'unknown address': 'nobody.at.all',
    'address of a contact': 'contact.of.ours',
    'name in a body': 'very private',
    'name in a filter': 'filter-with-a-name',
    'token in a query': 'in-the-address',
    'a forged line': '"msg":"forged"',
  })) {
    if (!secret) missing.push(name)
    else if (log.includes(secret)) found.push(name)
  }
  expect({ missing, found }).toEqual({ missing: [], found: [] })
  for (const line of log.split('\n').filter((one) => one.startsWith('{'))) expect(() => JSON.parse(line)).not.toThrow()
}, 60_000)
