import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { pathWithin } from '#server/auth/mail/link.ts'
import { json } from '#server/http/exchange.ts'
import { recordEvent } from './audit.ts'
import type { AuthHandler } from './context.ts'
import { createLinkToken } from './one-time-tokens.ts'
import { readEmail, readInput } from './read-input.ts'
import { withMinimumTime, minimumResponseMs } from './minimum-time.ts'
import { inTransaction } from './transaction.ts'
import { findUserByEmail } from './users.ts'

const inputSchema = z.object({ email: z.string().nullish() })

/**
 * POST /recover: mails a link to set a new password, if the e-mail address has an account. Every address gets the same
 * response after the same work.
 */
export const recover: AuthHandler = async ({ db, keys, limits, mail, mailLimits, siteUrl }, request) => {
  const email = readEmail(readInput(request, inputSchema).email)
  await limits.countAttempt(db, request.ip)
  await mailLimits.countMail(db, email, request.ip)
  const next = pathWithin(siteUrl, new URLSearchParams(request.query).get('redirect_to'))
  await withMinimumTime(minimumResponseMs, () =>
    inTransaction(db, async (client) => {
      const user = await findUserByEmail(client, email)
      await client.query('update auth.users set recovery_sent_at = now() where id = $1', [user?.id ?? randomUUID()])
      const token = await createLinkToken(client, keys.refreshSecret, {
        userId: user?.id ?? null,
        kind: 'recovery_token',
        relatesTo: email,
      })
      await recordEvent(client, request, { action: 'user_recovery_requested', user })
      const data = { link: { ...token, next } }
      await mail.queue(client, { template: user ? 'recovery' : 'nothing', recipient: email, data })
    }),
  )
  return json(200, {})
}
