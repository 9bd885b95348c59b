import { z } from 'zod'
import { pathWithin } from '#server/auth/mail/link.ts'
import { refusal } from '#server/http/errors.ts'
import { type HttpRequest, json } from '#server/http/exchange.ts'
import { hasVerifiedFactor } from '#server/auth/factors/factor.ts'
import { insufficientLevel } from '#server/auth/factors/refusals.ts'
import { recordEvent } from './audit.ts'
import { authenticate, type SignedInUser } from './authenticate.ts'
import type { AuthContext, AuthHandler } from './context.ts'
import { cancelEmailChange, startEmailChange, writeEmail } from './email-change.ts'
import { lockUnchangedUser, requireFreshProof } from './fresh-proof.ts'
import { hashNewPassword } from './new-password.ts'
import { checkNewPassword } from './passwords.ts'
import { isMetadataSmallEnough, metadataSchema, readEmail, readInput, readNewEmail } from './read-input.ts'
import { inTransaction } from './transaction.ts'
import { findUser, findUserByEmail, type Querier, userJson } from './users.ts'

const inputSchema = z.object({
  email: z.string().nullish(),
  password: z.string().nullish(),
  current_password: z.string().nullish(),
  nonce: z.string().max(100).nullish(),
  data: metadataSchema.nullish(),
  app_metadata: z.unknown().optional(),
})

interface UserChange {
  hash: string | null
  data: Record<string, unknown> | null
}

/**
 * PUT /user: changes the user's metadata, password and e-mail address, whichever are given, in one transaction.
 * - Metadata is merged into the stored metadata at the top level. A key whose value is null is removed.
 * - A new password ends the user's other sessions.
 * - A new address is valid at once or, if the server confirms addresses, after a click on the links in the mails to the old and
 *   the new address. A request with only the current address cancels a requested change of address: both links become invalid.
 *
 * A change of password or address needs a recent proof (`fresh-proof.ts`), and the level aal2 if the user has a second factor. A
 * cancellation needs no proof, only the level, because the account stays as it is.
 */
export const updateUser: AuthHandler = async (context, request) => {
  const { db } = context
  const given = readInput(request, inputSchema)
  const signedIn = await authenticate(context, request)
  if (given.app_metadata !== undefined) throw refusal('not_admin')
  if (!isMetadataSmallEnough({ ...signedIn.user.raw_user_meta_data, ...given.data })) {
    throw refusal('validation_failed', { message: 'data: too large together with the stored metadata' })
  }
  const email = readWantedEmail(signedIn, given.email ?? null)
  if (given.password) checkNewPassword(given.password)
  const isProofNeeded = email !== null || Boolean(given.password)
  if (isProofNeeded) await requireProof(context, request, signedIn, { ...given, email })
  if (email !== null) await refuseTakenEmail(context, request, email)
  // A form that sends the unchanged address among other values cancels nothing.
  const isOnlyEmail = Boolean(given.email) && !given.password && given.data === undefined
  const isCancellation = isOnlyEmail && email === null && signedIn.user.email_change !== null
  if (isCancellation) await refuseWeakSession(db, signedIn)
  const hash = given.password ? await hashNewPassword(context, request, signedIn, given.password) : null
  const change = { hash, data: given.data ?? null }
  const next = pathWithin(context.siteUrl, new URLSearchParams(request.query).get('redirect_to'))
  const user = await inTransaction(db, async (client) => {
    if (isProofNeeded) await lockUnchangedUser(context, client, signedIn)
    await writeChange(client, signedIn, change)
    if (hash !== null) await reportPasswordChange(context, client, request, signedIn)
    if (email !== null) await changeEmail(context, client, request, signedIn, { email, next })
    if (isCancellation) {
      await cancelEmailChange(client, signedIn.user.id)
      await recordEvent(client, request, {
        action: 'user_modified',
        user: signedIn.user,
        sessionId: signedIn.sessionId,
      })
    }
    return findUser(client, signedIn.user.id)
  })
  if (user === null) throw refusal('user_not_found')
  return json(200, userJson(user))
}

/** Returns the new e-mail address. Returns null if none is given, or if it is the current one. */
function readWantedEmail({ user }: SignedInUser, given: string | null): string | null {
  if (given === null || given === '' || readEmail(given) === user.email) return null
  return readNewEmail(given)
}

/**
 * Throws unless the user proves who they are. A request with a password is counted as an attempt to give the password. Any
 * other request for a new e-mail address is counted as an attempt of its network, so that nobody can find out which of many
 * addresses have an account.
 */
async function requireProof(
  context: AuthContext,
  request: HttpRequest,
  signedIn: SignedInUser,
  given: { email: string | null; current_password?: string | null | undefined; nonce?: string | null | undefined },
): Promise<void> {
  await refuseWeakSession(context.db, signedIn)
  if (given.email !== null && !given.current_password) await context.limits.countAttempt(context.db, request.ip)
  await requireFreshProof(context, request, signedIn, given, given.email === null ? 'password' : 'email address')
}

/** Throws email_exists if an account has this e-mail address. Otherwise counts the mail that will be sent to the address. */
async function refuseTakenEmail(
  { db, config, mailLimits }: AuthContext,
  request: HttpRequest,
  email: string,
): Promise<void> {
  if (await findUserByEmail(db, email)) throw refusal('email_exists')
  if (config.emailConfirmation) await mailLimits.countMail(db, email, request.ip)
}

/** Throws if the user has a second factor that this session has not verified. */
async function refuseWeakSession(db: Querier, { user, aal }: SignedInUser): Promise<void> {
  if (aal === 'aal2' || !(await hasVerifiedFactor(db, user.id))) return
  throw insufficientLevel(401, 'AAL2 session is required to update email or password when MFA is enabled.')
}

async function reportPasswordChange(
  { mail }: AuthContext,
  db: Querier,
  request: HttpRequest,
  { user, sessionId }: SignedInUser,
): Promise<void> {
  await mail.queue(db, { template: 'password-changed', recipient: user.email ?? '' })
  await recordEvent(db, request, { action: 'user_updated_password', user, sessionId })
}

async function writeChange(db: Querier, { user, sessionId }: SignedInUser, { hash, data }: UserChange): Promise<void> {
  if (data !== null) {
    const removedKeys = Object.keys(data).filter((name) => data[name] === null)
    await db.query(
      `update auth.users set raw_user_meta_data = (coalesce(raw_user_meta_data, '{}') || $2::jsonb) - $3::text[],
         updated_at = now() where id = $1`,
      [user.id, JSON.stringify(data), removedKeys],
    )
  }
  if (hash !== null) {
    await db.query('update auth.users set encrypted_password = $2, updated_at = now() where id = $1', [user.id, hash])
    await db.query('delete from auth.sessions where user_id = $1 and id <> $2', [user.id, sessionId])
  }
}

async function changeEmail(
  context: AuthContext,
  db: Querier,
  request: HttpRequest,
  { user, sessionId }: SignedInUser,
  { email, next }: { email: string; next: string },
): Promise<void> {
  if (context.config.emailConfirmation) return startEmailChange(context, db, user, { email, next })
  await writeEmail(db, request, { userId: user.id, email, sessionId })
  const recipient = user.email ?? ''
  await context.mail.queue(db, { template: 'email-changed', recipient, data: { new_email: email } })
}
