import { z } from 'zod'
import { pathWithin } from '#server/auth/mail/link.ts'
import { refusal } from '#server/http/errors.ts'
import { json } from '#server/http/exchange.ts'
import type { AuthContext, AuthHandler } from './context.ts'
import { mailEmailChange } from './email-change.ts'
import { createLinkToken } from './one-time-tokens.ts'
import { readEmail, readInput } from './read-input.ts'
import { withMinimumTime, minimumResponseMs } from './minimum-time.ts'
import { inTransaction } from './transaction.ts'
import { findUserByEmail, type Querier } from './users.ts'

const inputSchema = z.object({ email: z.string().nullish(), phone: z.string().nullish(), type: z.string().nullish() })

interface ResendRequest {
  email: string
  next: string
}

type ResendHandler = (context: AuthContext, db: Querier, resendRequest: ResendRequest) => Promise<void>

const resendByType: Readonly<Record<string, ResendHandler>> = {
  async signup({ keys, mail, config }, db, { email, next }) {
    const user = await findUserByEmail(db, email)
    const isUnconfirmed = user !== null && user.email_confirmed_at === null && user.encrypted_password !== null
    const userId = isUnconfirmed ? user.id : null
    const { count, last } = await signUpPasswords(db, userId)
    // A token has the password hash of its sign-up. Without a token, nobody knows which sign-up chose the stored password.
    const isRepeated = count > 1 || (isUnconfirmed && last === null)
    const token = await createLinkToken(db, keys.refreshSecret, {
      userId,
      kind: isRepeated ? 'recovery_token' : 'confirmation_token',
      relatesTo: email,
      passwordHash: isRepeated ? null : last,
    })
    const template = isRepeated ? 'several-signups' : 'signup'
    const isConfirmed = user !== null && user.email_confirmed_at !== null
    // The mail to a confirmed address has no token: its button opens the sign-in page. Without e-mail confirmation, no sign-up waits for a link.
    if (isConfirmed && config.emailConfirmation) await mail.queue(db, { template: 'known-address', recipient: email })
    else
      await mail.queue(db, {
        template: isUnconfirmed ? template : 'nothing',
        recipient: email,
        data: { link: { ...token, next } },
      })
  },
  async email_change(context, db, { email, next }) {
    const user = await findUserByEmail(db, email)
    if (user?.email_change) await mailEmailChange(context, db, user, next)
  },
}

/**
 * Returns how many different passwords were chosen at sign-ups with the user's e-mail address, and the hash of the last one.
 * The hash is null if no token of a sign-up exists, or if `userId` is null. If there are several passwords, or no token, the
 * server does not know which password belongs to the person who requests the mail. The link in the mail then deletes all these
 * passwords and opens a page on which the person chooses a new one.
 */
async function signUpPasswords(db: Querier, userId: string | null): Promise<{ count: number; last: string | null }> {
  const { rows } = await db.query<{ count: number; last: string | null }>(
    `with chosen as (
       select encrypted_password as hash, null::timestamptz as at from auth.users where id = $1
       union all
       select password_hash, created_at from auth.one_time_tokens where user_id = $1 and token_type = 'confirmation_token'
     )
     select count(distinct hash)::int as count,
       (select hash from chosen where at is not null order by at desc limit 1) as last
     from chosen`,
    [userId],
  )
  return rows[0] ?? { count: 0, last: null }
}

/**
 * POST /resend: mails the link of a sign-up (`signup`) or of a change of e-mail address (`email_change`) again, if the sign-up
 * or the change is not confirmed yet. If e-mail confirmation is on, a confirmed address gets a mail that says that it has an
 * account. After several sign-ups with the address, the link confirms the address and opens a page on which the person chooses a
 * new password. Every address gets the same response. Throws validation_failed for any other type.
 */
export const resend: AuthHandler = async (context, request) => {
  const { db, limits, mailLimits, siteUrl } = context
  const given = readInput(request, inputSchema)
  const type = given.type ?? ''
  const send = Object.hasOwn(resendByType, type) ? resendByType[type] : undefined
  if (send === undefined) {
    throw refusal('validation_failed', { message: 'Missing one of these types: signup, email_change' })
  }
  const email = readEmail(given.email)
  await limits.countAttempt(db, request.ip)
  await mailLimits.countMail(db, email, request.ip)
  const next = pathWithin(siteUrl, new URLSearchParams(request.query).get('redirect_to'))
  await withMinimumTime(minimumResponseMs, () => inTransaction(db, (client) => send(context, client, { email, next })))
  return json(200, {})
}
