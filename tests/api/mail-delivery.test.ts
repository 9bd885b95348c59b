import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { authRequest, refusalOf } from '../harness/auth-request.ts'
import { signUpPerson, testClient } from '../harness/client.ts'
import { type MailServer, startMailServer } from '../harness/mail-server.ts'
import { clickLink } from '../harness/mailed-link.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

/** Repeats an expectation for up to 15 s, which is long enough on a busy machine. */
const eventually = <T>(work: () => Promise<T>) => expect.poll(work, { timeout: 15_000 })

let runningServers: TestServer[] = []
let mail: MailServer
beforeEach(async () => {
  mail = await startMailServer()
})
afterEach(async () => {
  await Promise.all(runningServers.map((server) => server.stop()))
  runningServers = []
  await mail.stop()
})

async function startServer(env: Record<string, string>, more: { dataDir?: string; databaseUrl?: string } = {}) {
  const server = await startTestServer({ env, ...more })
  runningServers.push(server)
  return server
}

const requestRecovery = (server: TestServer, email: string) => authRequest(server, '/recover', { body: { email } })
const queuedMails = async (server: TestServer) =>
  (await server.database?.owner.query('select * from private.mail_outbox order by id'))?.rows ?? []
const makeMailsDue = (server: TestServer) =>
  server.database?.owner.query('update private.mail_outbox set due_at = now()')

describe('the mail server', () => {
  it('the mail server gets mail with a sender, an id, and the content as text and HTML', async () => {
    const server = await startServer({ SMTP_URL: mail.url, MAIL_FROM: 'Acme CRM <crm@acme.example>' })
    await testClient(server).auth.signUp({ email: 'ana@example.com', password: 's@cret1' })
    const letter = await mail.next('ana@example.com')
    expect(letter.from).toBe('Acme CRM <crm@acme.example>')
    expect(letter.headers.get('message-id')).toMatch(/^<\d+@localhost>$/)
    expect(letter.headers.get('auto-submitted')).toBe('auto-generated')
    expect(letter.text).toContain('The link works once, for 24 hours.')
    expect(letter.html).toContain('The link works once, for 24 hours.')
  })

  it('the mail server gets a temporarily refused mail again, under the same id; the request does not wait', async () => {
    const server = await startServer({ SMTP_URL: mail.url, EMAIL_CONFIRMATION: 'off' })
    await signUpPerson(server, 'ana@example.com')
    mail.refuseWith(451)
    expect((await requestRecovery(server, 'ana@example.com')).status).toBe(200)
    await eventually(async () => (await queuedMails(server))[0]?.problem).toMatch(/451|not now/)
    const [row] = await queuedMails(server)
    expect(row).toMatchObject({ attempts: 1, given_up_at: null })
    expect(row.due_at.getTime() - Date.now()).toBeGreaterThan(5_000)
    mail.refuseWith(null)
    await makeMailsDue(server)
    const letter = await mail.next('ana@example.com')
    expect(letter.headers.get('message-id')).toBe(`<${row.id}@localhost>`)
    await eventually(async () => (await queuedMails(server)).length).toBe(0)
  })

  it('the mail server delays no request while it is unreachable; another server on the same database sends the mail', async () => {
    const server = await startServer({ SMTP_URL: 'smtp://127.0.0.1:1', EMAIL_CONFIRMATION: 'off' })
    await signUpPerson(server, 'ana@example.com')
    await requestRecovery(server, 'ana@example.com')
    await eventually(async () => (await queuedMails(server))[0]?.problem).toMatch(/ECONNREFUSED/)
    const { databaseUrl, dataDir } = server
    const secondServer = await startServer(
      { SMTP_URL: mail.url, EMAIL_CONFIRMATION: 'off', SITE_URL: server.url },
      { dataDir, ...(databaseUrl ? { databaseUrl } : {}) },
    )
    // The first server tries again all the time, without success. The mail still stays until the second server sends it.
    const retrying = setInterval(() => void makeMailsDue(server), 200)
    const letter = await mail.next('ana@example.com').finally(() => clearInterval(retrying))
    expect((await clickLink(testClient(secondServer), letter)).error).toBeNull()
  })

  it('the mail server does not get a permanently refused mail again', async () => {
    const server = await startServer({ SMTP_URL: mail.url })
    mail.refuseWith(550)
    await testClient(server).auth.signUp({ email: 'gone@example.com', password: 's@cret1' })
    await eventually(async () => (await queuedMails(server))[0]?.given_up_at).toBeInstanceOf(Date)
    expect((await queuedMails(server))[0]).toMatchObject({ attempts: 1 })
  })

  it('a mail for the mail server is given up when its last attempt fails, or at once if it cannot be rendered', async () => {
    const server = await startServer({ SMTP_URL: mail.url })
    const owner = server.database?.owner
    mail.refuseWith(451)
    await owner?.query(
      `insert into private.mail_outbox (template, recipient, attempts) values ('password-changed', 'a@example.com', 8), ('what', 'a@example.com', 0)`,
    )
    await eventually(async () => (await queuedMails(server)).filter(({ given_up_at }) => given_up_at).length).toBe(2)
  })

  it('old files in the outbox folder are deleted at the start also with a mail server, because text messages may be written there', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'banyan-mail-'))
    const folder = join(dataDir, 'outbox')
    await mkdir(folder)
    const [oldFile, newFile] = ['20260101T000000-1-sms.txt', '20260101T000000-2-sms.txt']
    for (const name of [oldFile, newFile]) await writeFile(join(folder, name), 'To: +491701234567')
    const modifiedAt = Date.now() / 1000 - 60 * 24 * 3600
    await utimes(join(folder, oldFile), modifiedAt, modifiedAt)
    const server = await startServer({ SMTP_URL: mail.url }, { dataDir })
    expect(await readdir(folder)).toEqual([newFile])
    runningServers = []
    await server.stop()
    await rm(dataDir, { recursive: true })
  })

  it('the mail server gets each mail once if two servers use one database', async () => {
    const firstServer = await startServer({ SMTP_URL: mail.url })
    await startServer(
      { SMTP_URL: mail.url },
      { dataDir: firstServer.dataDir, ...(firstServer.databaseUrl ? { databaseUrl: firstServer.databaseUrl } : {}) },
    )
    await firstServer.database?.owner.query(
      `insert into private.mail_outbox (template, recipient) select 'password-changed', 'p' || n || '@example.com' from generate_series(1, 60) n`,
    )
    await eventually(async () => (await queuedMails(firstServer)).length).toBe(0)
    expect(mail.mails).toHaveLength(60)
    expect(new Set(mail.mails.map(({ to }) => to[0])).size).toBe(60)
  })

  it('the mail server gets one valid link if four people sign up with one address at once', async () => {
    const server = await startServer({ SMTP_URL: mail.url })
    const signUps = await Promise.all(
      Array.from({ length: 4 }, () =>
        testClient(server).auth.signUp({ email: 'race@example.com', password: 's@cret1' }),
      ),
    )
    expect(signUps.every(({ error }) => error === null)).toBe(true)
    await eventually(async () => (await queuedMails(server)).length).toBe(0)
    const letters = mail.mails.filter(({ subject }) => subject === 'Confirm your email address')
    const clicks = await Promise.all(letters.map((letter) => clickLink(testClient(server), letter)))
    expect(clicks.filter(({ error }) => error === null)).toHaveLength(1)
  })

  it('the mail server gets no additional recipient through special characters in an address', async () => {
    const server = await startServer({ SMTP_URL: mail.url })
    for (const email of ['a@example.com,evil@example.com', '"x"<evil@example.com>,a@b.c', 'a@example.com;b']) {
      await testClient(server).auth.signUp({ email, password: 's@cret1' })
    }
    await expect
      .poll(async () => (await queuedMails(server)).filter(({ given_up_at }) => given_up_at === null).length)
      .toBe(0)
    expect(mail.mails.flatMap(({ to }) => to)).not.toContain('evil@example.com')
  })
})

describe('without a mail server', () => {
  it('mail is written to the outbox folder without a mail server, readable by the server’s system user only', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'banyan-mail-'))
    try {
      const server = await startServer({ SITE_URL: 'https://crm.example.com' }, { dataDir })
      const reachableServer = { ...server, url: `http://127.0.0.1:${server.port}` }
      await signUpPerson(reachableServer, 'ana@example.com')
      await requestRecovery(reachableServer, 'ana@example.com')
      const folder = join(dataDir, 'outbox')
      const names = async () => (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.txt'))
      await eventually(async () => (await names()).length).toBe(1)
      const [name = ''] = await names()
      expect(name).toMatch(/^\d{8}T\d{6}-\d+-recovery\.txt$/)
      const text = await readFile(join(folder, name), 'utf8')
      expect(text).toMatch(/^To: ana@example\.com\nSubject: Set a new password\n\n/)
      const links = text.match(/https:\S+/g) ?? []
      expect((await clickLink(testClient(reachableServer), { links })).error).toBeNull()
      expect(await readFile(join(folder, name.replace('.txt', '.html')), 'utf8')).toContain('<!doctype html>')
      expect((await stat(join(folder, name))).mode & 0o077).toBe(0)
      expect((await stat(folder)).mode & 0o077).toBe(0)
      await Promise.all(runningServers.splice(0).map((one) => one.stop()))
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })
})

describe('limits on mail', () => {
  it('limits on mail allow one mail a minute and five in a quarter of an hour to one address, known or not; the reported wait is not longer', async () => {
    const server = await startServer({ SMTP_URL: mail.url, EMAIL_CONFIRMATION: 'off', AUTH_RATE_LIMIT: '10000' })
    await signUpPerson(server, 'ana@example.com')
    const owner = server.database?.owner
    const ageAttempts = async (by: string) => {
      // The rows have times ten seconds apart, and the time is part of the primary key: a direct update could move a row to the time of another
      // row that it has not moved yet. So all rows first move a century ahead, where there are no other rows.
      await owner?.query(`update auth.attempts set at = at + interval '36500 days'`)
      await owner?.query(`update auth.attempts set at = at - interval '36500 days' - $1::interval`, [by])
    }
    for (const email of ['ana@example.com', 'unknown@example.com']) {
      expect((await requestRecovery(server, email)).status).toBe(200)
      const refusedResponse = await requestRecovery(server, email)
      expect(refusalOf(refusedResponse)).toEqual([429, 'over_email_send_rate_limit'])
      expect(refusedResponse.headers.get('retry-after')).toBe('60')
      const parallel = await Promise.all(Array.from({ length: 10 }, () => requestRecovery(server, `x${email}`)))
      expect(parallel.filter(({ status }) => status === 200)).toHaveLength(1)
      for (let nth = 2; nth <= 5; nth++) {
        await ageAttempts('70 seconds')
        expect((await requestRecovery(server, email)).status).toBe(200)
      }
      await ageAttempts('70 seconds')
      expect((await requestRecovery(server, email)).status).toBe(429)
      await ageAttempts('10 minutes')
      expect((await requestRecovery(server, email)).status).toBe(200)
    }
  })
})

describe('the limit on all mail', () => {
  it('the limit on all mail, 24 an hour, allows six in a quarter of an hour; one network can use half of them', async () => {
    const server = await startServer({
      SMTP_URL: mail.url,
      EMAIL_CONFIRMATION: 'off',
      AUTH_RATE_LIMIT: '10000',
      MAIL_LIMIT: '24',
      TRUST_PROXY: '1',
    })
    let requestCount = 0
    const recoverFrom = (address: string) =>
      authRequest(server, '/recover', {
        body: { email: `person${++requestCount}@example.com` },
        headers: { 'X-Forwarded-For': address },
      })
    const fromOneNetwork = await Promise.all([1, 2, 3].map((host) => recoverFrom(`2001:db8::${host}`)))
    expect(fromOneNetwork.map(({ status }) => status)).toEqual([200, 200, 200])
    // A /64 is one network.
    const refusedResponse = await recoverFrom('2001:db8::4')
    expect(refusalOf(refusedResponse)).toEqual([429, 'over_email_send_rate_limit'])
    expect(refusedResponse.headers.get('retry-after')).toBe('900')
    for (const last of [2, 3, 4]) {
      expect((await recoverFrom(`203.0.113.${last}`)).status).toBe(200)
      expect((await recoverFrom(`203.0.113.${last}`)).status).toBe(429)
    }
    expect((await recoverFrom('203.0.113.5')).status).toBe(429)
    await server.database?.owner.query(`update auth.attempts set at = at - interval '15 minutes'`)
    expect((await recoverFrom('203.0.113.1')).status).toBe(200)
  })

  it('the limit on all mail can be switched off separately; one recipient still gets only one mail a minute', async () => {
    const env = { EMAIL_CONFIRMATION: 'off', AUTH_RATE_LIMIT: '30', MAIL_LIMIT: '0' }
    const server = await startServer({ SMTP_URL: mail.url, ...env })
    expect((await requestRecovery(server, 'ana@example.com')).status).toBe(200)
    expect((await requestRecovery(server, 'ana@example.com')).status).toBe(429)
    expect((await requestRecovery(server, 'bo@example.com')).status).toBe(200)
  })
})

describe('the code of a reauthentication', () => {
  it('the code of a reauthentication is mailed to the signed-in user only', async () => {
    const server = await startServer({ SMTP_URL: mail.url, EMAIL_CONFIRMATION: 'off' })
    const { client } = await signUpPerson(server, 'ana@example.com')
    expect((await client.auth.reauthenticate()).error).toBeNull()
    expect((await mail.next('ana@example.com', /code/)).text).toMatch(/^\d{6}\r?$/m)
    expect(refusalOf(await authRequest(server, '/reauthenticate'))).toEqual([401, 'no_authorization'])
  })
})
