import { z } from 'zod'
import { refusal } from '#server/http/errors.ts'
import type { HttpRequest } from '#server/http/exchange.ts'
import { recordEvent } from './audit.ts'
import type { AuthContext, AuthHandler } from './context.ts'
import { networkOf } from '#server/http/network.ts'
import { verifyPassword } from './passwords.ts'
import { readEmail, readInput } from './read-input.ts'
import { withMinimumRefusalTime, minimumResponseMs } from './minimum-time.ts'
import { respondSession, startSession } from './sessions.ts'
import { findUserByEmail, type UserRow } from './users.ts'

const inputSchema = z.object({ email: z.string().nullish(), password: z.string().nullish() })

/**
 * POST /token?grant_type=password: signs in. A wrong password and an unknown e-mail address get the same response after
 * the same work, and are counted in the same way. Every attempt is counted before its password is checked.
 */
export const signIn: AuthHandler = async (context, request) => {
  const { db, hashQueue, tokens } = context
  const given = readInput(request, inputSchema)
  const email = readEmail(given.email)
  const password = given.password ?? ''
  if (password === '') throw refusal('validation_failed', { message: 'A password is required' })

  const user = await withMinimumRefusalTime(minimumResponseMs, () =>
    hashQueue.run({ account: email, network: networkOf(request.ip) }, () =>
      checkPassword(context, request, email, password),
    ),
  )
  if (user.banned_until !== null && user.banned_until > new Date()) throw refusal('user_banned')
  if (user.email_confirmed_at === null) throw refusal('email_not_confirmed')
  const newSession = await startSession(context, db, request, { user })
  await recordEvent(db, request, { action: 'login', user, sessionId: newSession.session.id })
  return respondSession(tokens, newSession)
}

/** Counts the attempt and checks the password. Runs inside the hash queue, so no other attempt on this account runs. */
async function checkPassword(
  { db, limits }: AuthContext,
  request: HttpRequest,
  email: string,
  password: string,
): Promise<UserRow> {
  await limits.countPasswordAttempt(db, email, request.ip)
  const user = await findUserByEmail(db, email)
  const matches = await verifyPassword(user?.encrypted_password ?? null, password)
  if (user && matches) {
    await limits.countSuccess(db, email, request.ip)
    return user
  }
  await recordEvent(db, request, { action: 'login_failed', user })
  throw refusal('invalid_credentials')
}
