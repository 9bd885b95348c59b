import { expect, it } from 'vitest'
import { testDatabase } from '../harness/database.ts'
import { startTestServer } from '../harness/server.ts'

it('at its start the server deletes mails that were given up 30 days ago and links that expired a day ago, and nothing newer', async () => {
  const database = await testDatabase()
  try {
    await database.owner.query(`
      insert into private.mail_outbox (template, recipient, given_up_at) values
        ('nothing', 'old@example.com', now() - interval '31 days'), ('nothing', 'young@example.com', now() - interval '29 days')`)
    await database.owner.query(`
      insert into auth.one_time_tokens (token_type, token_hash, relates_to, expires_at) values
        ('recovery_token', 'a', 'old', now() - interval '25 hours'), ('recovery_token', 'b', 'young', now() - interval '23 hours')`)
    const server = await startTestServer({ databaseUrl: database.url, env: { SMTP_URL: 'smtp://127.0.0.1:9' } })
    try {
      const remaining = async (text: string) => (await database.owner.query(text)).rows.map(({ name }) => name)
      await expect
        .poll(() => remaining('select recipient as name from private.mail_outbox'))
        .toEqual(['young@example.com'])
      await expect.poll(() => remaining('select relates_to as name from auth.one_time_tokens')).toEqual(['young'])
    } finally {
      await server.stop()
    }
  } finally {
    await database.drop()
  }
})
