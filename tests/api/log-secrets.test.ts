import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { REALTIME_SUBSCRIBE_STATES } from '@supabase/supabase-js'
import { expect, it } from 'vitest'
import WebSocket from 'ws'
import { authRequest } from '../harness/auth-request.ts'
import { officialClient, signUpPerson, testClient } from '../harness/client.ts'
import { startMailServer } from '../harness/mail-server.ts'
import { clickLink, mailedLink } from '../harness/mailed-link.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { totpCode } from '../harness/totp.ts'

/** Timeout in milliseconds, long enough for a busy machine. */
const timeoutMs = 30_000

/** All output of a process, and the secrets that it must not contain, by name. */
interface WatchedLog {
  log: () => string
  secrets: Record<string, string | undefined>
}

function watchLog(server: TestServer): WatchedLog {
  let log = ''
  server.child?.stdout?.on('data', (chunk: Buffer) => (log += chunk.toString()))
  server.child?.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()))
  return { log: () => log, secrets: {} }
}

const signatureOf = (token: string | undefined) => token?.split('.')[2]

function expectNoSecrets({ log, secrets }: WatchedLog): void {
  const [missing, found] = [[] as string[], [] as string[]]
  for (const [name, secret] of Object.entries(secrets)) {
    if (!secret) missing.push(name)
    else if (log().includes(secret)) found.push(name)
  }
  expect({ missing, found }).toEqual({ missing: [], found: [] })
  for (const line of log()
    .split('\n')
    .filter((line) => line.startsWith('{')))
    expect(() => JSON.parse(line)).not.toThrow()
}

/** Returns the text of the outbox file whose name contains `part`, once it exists. Throws after `timeoutMs`. */
async function outboxFile({ dataDir }: TestServer, part: string): Promise<string> {
  const folder = join(dataDir, 'outbox')
  const until = Date.now() + timeoutMs
  while (Date.now() < until) {
    const fileName = (await readdir(folder)).find((name) => name.includes(part) && name.endsWith('.txt'))
    if (fileName !== undefined) return readFile(join(folder, fileName), 'utf8')
    await sleep(50)
  }
  throw new Error(`no file of the outbox is called ${part}`)
}

/** Waits until the client has received the live change that `change` makes. Then opens another socket, with a wrong API key in its URL. */
async function receiveChange(server: TestServer, token: string, brand: string, change: () => Promise<unknown>) {
  const client = officialClient(server.url, server.publishableKey)
  await client.realtime.setAuth(token)
  const changeReceived = new Promise<void>((resolve, reject) => {
    client
      .channel('log')
      .on(
        'postgres_changes',
        { event: '*', schema: 'public', table: 'companies', filter: `brand_id=eq.${brand}` },
        () => resolve(),
      )
      .subscribe((status) => {
        if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) change().catch(reject)
      })
    setTimeout(() => reject(new Error('no change was received')), timeoutMs)
  })
  await changeReceived
  await client.removeAllChannels()
  const refusedSocket = new WebSocket(
    `${server.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=a-wrong-key-in-the-address`,
  )
  await new Promise((resolve) => refusedSocket.on('error', resolve))
}

/** Uses an account in many ways, on a server without a mail server, and records the secrets that the log must not contain. */
async function useAccount(server: TestServer, { secrets }: WatchedLog): Promise<void> {
  const reachableServer = { ...server, url: `http://127.0.0.1:${server.port}` }
  const email = 'ana.secretive@example.com'
  Object.assign(secrets, {
    'e-mail address': 'ana.secretive',
    'new address': 'moved.secretive',
    'unknown address': 'nobody.at.all',
    'address of a contact': 'contact.of.ours',
    'name in a body': 'very private',
    'name in a filter': 'filter-with-a-name',
    'token in a query': 'in-the-address',
    'a forged line': '"msg":"forged"',
    password: 'first horse',
    'wrong password': 'wrong stallion',
    'password in broken JSON': 'half a horse',
    'new password': 'second horse',
    'password of a recovery': 'third horse',
    phone: '447700900987',
    'secret key': server.secretKey,
    'publishable key': server.publishableKey,
  })
  const { client, session } = await signUpPerson(reachableServer, email, 'first horse')
  secrets['access token'] = signatureOf(session.access_token)
  secrets['refresh token'] = session.refresh_token
  const signIn = (address: string, password: string) =>
    testClient(reachableServer).auth.signInWithPassword({ email: address, password })
  await signIn(email, 'wrong stallion')
  await signIn('nobody.at.all@example.com', 'wrong stallion')
  const { data: second } = await signIn(email, 'first horse')
  secrets['refresh token of a second session'] = second.session?.refresh_token
  await authRequest(reachableServer, '/token?grant_type=password', {
    body: `{"email":"${email}","password":"half a horse`,
  })
  const { data: renewed } = await client.auth.refreshSession()
  secrets['renewed refresh token'] = renewed.session?.refresh_token
  secrets['renewed access token'] = signatureOf(renewed.session?.access_token)

  const brand = crypto.randomUUID()
  await client.from('brands').insert({ id: brand, name: 'A very private name' })
  await receiveChange(reachableServer, renewed.session?.access_token ?? '', brand, async () => {
    await client.from('companies').insert({ brand_id: brand, name: 'Another very private name' })
  })
  await client.from('companies').select('*').eq('name', 'filter-with-a-name')
  await client.rpc('upsert_contact', { p_brand_id: brand, p_email: 'contact.of.ours@example.com' })
  await client.from('companies').insert({ brand_id: brand, name: 'x'.repeat(5000) })
  await client.rpc('invite_member', { p_brand_id: brand, p_email: 'nobody.at.all@example.com' })

  const { data: calendar } = await client.rpc('make_calendar_feed')
  secrets['calendar address'] = calendar
  await (await fetch(`${reachableServer.url}/calendar/${calendar}.ics`)).text()

  await client.auth.reauthenticate()
  const nonce = /\b\d{6}\b/.exec((await outboxFile(server, 'reauthenticate')).split('\n\n').slice(1).join('\n'))?.[0]
  // Six digits may also be part of a time, so their context is compared too.
  secrets['mailed code'] = `: ${nonce}`
  await client.auth.updateUser({ password: 'second horse', nonce: nonce ?? '' })
  await client.auth.updateUser({ email: 'moved.secretive@example.com', current_password: 'second horse' })
  await testClient(reachableServer).auth.resetPasswordForEmail('moved.secretive@example.com')
  const links = (await outboxFile(server, 'recovery')).match(/https?:\S+/g) ?? []
  secrets['link of a mail'] = mailedLink({ links }).tokenHash
  const recoveringClient = testClient(reachableServer)
  const { data: recovered } = await clickLink(recoveringClient, { links })
  secrets['refresh token of a recovery'] = recovered.session?.refresh_token
  await recoveringClient.auth.updateUser({ password: 'third horse' })

  const { data: totp } = await recoveringClient.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })
  secrets['TOTP secret'] = totp?.totp.secret
  const code = totpCode(totp?.totp.secret ?? '')
  await recoveringClient.auth.mfa.challengeAndVerify({ factorId: totp?.id ?? '', code: 'wrong' })
  const { data: verified } = await recoveringClient.auth.mfa.challengeAndVerify({ factorId: totp?.id ?? '', code })
  secrets['refresh token at aal2'] = verified?.refresh_token
  const codes = await authRequest(reachableServer, '/factors/recovery-codes', {
    token: verified?.access_token ?? '',
    body: {},
  })
  secrets['recovery code'] = (codes.body.codes as string[])[0]
  const { data: phone } = await recoveringClient.auth.mfa.enroll({
    factorType: 'phone',
    phone: '+447700900987',
    friendlyName: 'p',
  })
  await recoveringClient.auth.mfa.challenge({ factorId: phone?.id ?? '' })
  secrets['code for a phone'] = / is (\d{6}\.)/.exec(await outboxFile(server, '-sms'))?.[1]
  await fetch(`${reachableServer.url}/auth/v1/user?access_token=in-the-address`, {
    headers: { apikey: server.publishableKey },
  })
  await fetch(`${reachableServer.url}/auth/v1/verify?x=a%0d%0a{"level":60,"msg":"forged"}`, {
    headers: { apikey: server.publishableKey },
  })
  await recoveringClient.auth.signOut()
  const keys = JSON.parse(await readFile(join(server.dataDir, 'keys.json'), 'utf8'))
  secrets['signing key'] = keys.signingKeys[0].d
  secrets['installation’s secret'] = keys.refreshSecret
}

it.concurrent.each(['info', 'debug', 'trace'])(
  'the log of a default installation at level %s contains no password, token, link, code or e-mail address',
  async (level) => {
    // Only the settings that the test needs differ from the defaults: the port, the database, the folder and the log level.
    const server = await startTestServer({ run: 'process', env: { AUTH_RATE_LIMIT: '', LOG_LEVEL: level } })
    const watchedLog = watchLog(server)
    try {
      await useAccount(server, watchedLog)
    } finally {
      await server.stop()
    }
    const requests = watchedLog
      .log()
      .split('\n')
      .filter((line) => line.includes('/auth/v1/'))
    expect(requests.length).toBeGreaterThan(20)
    expectNoSecrets(watchedLog)
  },
  180_000,
)

it.concurrent('the log contains no secret on a server with SMTP, confirmed addresses and invitations, whose mail server names the addresses it refuses', async () => {
  const mail = await startMailServer()
  const server = await startTestServer({ run: 'process', env: { SMTP_URL: mail.url, LOG_LEVEL: 'trace' } })
  const reachableServer = { ...server, url: `http://127.0.0.1:${server.port}` }
  const watchedLog = watchLog(server)
  const { secrets } = watchedLog
  const nextLetter = async (name: string, to: string, subject: RegExp) => {
    const letter = await mail.next(to, subject)
    secrets[name] = mailedLink(letter).tokenHash
    return letter
  }
  const [email, moved, guest] = ['bo.secretive@example.com', 'moved.bo@example.com', 'guest.of.bo@example.com']
  Object.assign(secrets, {
    address: email,
    'new address': moved,
    'invited address': guest,
    'address in capitals': moved.toUpperCase(),
    password: 'first horse',
  })
  await testClient(reachableServer).auth.signUp({ email, password: 'first horse' })
  const client = testClient(reachableServer)
  await clickLink(client, await nextLetter('confirmation', email, /Confirm your email/))
  await client.auth.updateUser({ email: moved })
  await clickLink(testClient(reachableServer), await nextLetter('current address', email, /Confirm the change/))
  await clickLink(client, await nextLetter('new address’s link', moved, /Confirm your new/))
  const brand = crypto.randomUUID()
  await client.from('brands').insert({ id: brand, name: 'Acme' })
  await client.rpc('invite_member', { p_brand_id: brand, p_email: guest })
  await clickLink(testClient(reachableServer), await nextLetter('invitation', guest, /invited/))

  mail.refuseWith(550)
  await testClient(reachableServer).auth.resetPasswordForEmail(moved)
  const until = Date.now() + timeoutMs
  while (!watchedLog.log().includes('is given up') && Date.now() < until) await sleep(50)
  expect(watchedLog.log()).toContain('a mail could not be sent, and is given up')
  await server.stop()
  await mail.stop()
  expectNoSecrets(watchedLog)
}, 90_000)
