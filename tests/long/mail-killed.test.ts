import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testDatabase } from '../harness/database.ts'
import { startMailServer } from '../harness/mail-server.ts'
import { startTestServer } from '../harness/server.ts'

const roundCount = 10
const mailCount = 60

it('a server that is killed while it sends mails loses none; a mail that is sent twice has the same Message-ID both times', async () => {
  const [database, mail] = await Promise.all([testDatabase(), startMailServer()])
  const dataDir = await mkdtemp(join(tmpdir(), 'banyan-mail-'))
  const startServer = () =>
    startTestServer({ run: 'process', dataDir, databaseUrl: database.url, env: { SMTP_URL: mail.url } })
  const waitingCount = async () => (await database.owner.query('select from private.mail_outbox')).rowCount ?? 0
  try {
    for (let round = 0; round < roundCount; round++) {
      const countBefore = mail.mails.length
      const server = await startServer()
      await database.owner.query(
        `insert into private.mail_outbox (template, recipient)
         select 'password-changed', 'r' || $1::int || 'n' || n || '@example.com' from generate_series(1, $2::int) n`,
        [round, mailCount],
      )
      await expect
        .poll(() => mail.mails.length - countBefore, { timeout: 30_000, interval: 2 })
        .toBeGreaterThan(round * 5)
      await server.kill()
      // The killed server has reserved mails for some minutes. This makes them due at once.
      await database.owner.query('update private.mail_outbox set due_at = now()')
      const restartedServer = await startServer()
      await expect.poll(waitingCount, { timeout: 30_000 }).toBe(0)
      await restartedServer.stop()
    }
    const messageIds = new Map(mail.mails.map(({ to, headers }) => [to[0], headers.get('message-id')]))
    expect(messageIds.size).toBe(roundCount * mailCount)
    expect(new Set(messageIds.values()).size).toBe(roundCount * mailCount)
    for (const { to, headers } of mail.mails) expect(headers.get('message-id')).toBe(messageIds.get(to[0]))
    const twiceCount = mail.mails.length - messageIds.size
    console.log(
      `${roundCount} kills: ${messageIds.size} of ${roundCount * mailCount} mails arrived, ${twiceCount} of them twice`,
    )
    expect(twiceCount).toBeLessThanOrEqual(roundCount * 10)
  } finally {
    await mail.stop()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
