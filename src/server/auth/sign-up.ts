import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { pathWithin } from '#server/auth/mail/link.ts'
import { refusal } from '#server/http/errors.ts'
import { type HttpRequest, json } from '#server/http/exchange.ts'
import { recordEvent } from './audit.ts'
import type { AuthContext, AuthHandler } from './context.ts'
import { networkOf } from '#server/http/network.ts'
import { upsertIdentity, insertUser, type NewUser } from './new-user.ts'
import { createLinkToken } from './one-time-tokens.ts'
import { checkNewPassword, hashPassword } from './passwords.ts'
import { maySignUp, maySignUpByLink } from './product-sql.ts'
import { metadataSchema, readInput, readNewEmail } from './read-input.ts'
import { withMinimumTime, minimumResponseMs } from './minimum-time.ts'
import { respondSession, startSession } from './sessions.ts'
import { inTransaction } from './transaction.ts'
import { findUser, findUserByEmail, type Querier, type UserRow, userJson } from './users.ts'

const inputSchema = z.object({
  email: z.string().nullish(),
  password: z.string().nullish(),
  phone: z.string().nullish(),
  data: metadataSchema.nullish(),
})

/**
 * POST /signup: creates a user.
 * - Without e-mail confirmation, it also signs in. An e-mail address that has an account gets 422 user_already_exists.
 * - With e-mail confirmation, the response is a user without a session. An address that has an account gets the same response
 *   after the same time, so that nobody can find out who has an account. Only the mail to the address says that it has one.
 *
 * `data.invitation` is the token of an invitation link, and is not stored. Throws signup_disabled if sign-ups are closed, or if
 * only invited people may sign up and the e-mail address has no invitation.
 */
export const signUp: AuthHandler = async (context, request) => {
  const { config, db, hashQueue, hashCost, limits, mailLimits } = context
  const given = readInput(request, inputSchema)
  if (!given.email && !given.password && !given.phone) throw refusal('anonymous_provider_disabled')
  if (config.signUp === 'closed') throw refusal('signup_disabled')
  const email = readNewEmail(given.email)
  const password = given.password ?? ''
  checkNewPassword(password)
  await limits.countAttempt(db, request.ip)

  const existingUser = await findUserByEmail(db, email)
  const isInvitedUser =
    existingUser?.invited_at != null &&
    existingUser.encrypted_password === null &&
    existingUser.email_confirmed_at === null
  const { invitation, ...data } = withoutNulls(given.data ?? {})
  const isInvited = async () =>
    (await maySignUp(db, email)) || (typeof invitation === 'string' && (await maySignUpByLink(db, email, invitation)))
  if (config.signUp === 'invited' && !isInvitedUser && !(await isInvited())) throw refusal('signup_disabled')
  if (existingUser && !isInvitedUser && !config.emailConfirmation) throw refusal('user_already_exists')

  if (config.emailConfirmation) await mailLimits.countMail(db, email, request.ip)
  const next = pathWithin(context.siteUrl, new URLSearchParams(request.query).get('redirect_to'))
  const sessionId = randomUUID()
  const createOrSimulate = async (): Promise<UserRow> => {
    const requester = { account: email, network: networkOf(request.ip) }
    const newUser = { email, hash: await hashQueue.run(requester, () => hashPassword(password, hashCost)), data }
    const creation = { newUser, invitedUser: existingUser, next, sessionId }
    const user = existingUser && !isInvitedUser ? null : await createUser(context, request, creation)
    if (user !== null) return user
    if (!config.emailConfirmation) throw refusal('user_already_exists')
    return simulateCreate(context, newUser, next)
  }
  if (config.emailConfirmation) return json(200, userJson(await withMinimumTime(minimumResponseMs, createOrSimulate)))
  const user = await createOrSimulate()
  return respondSession(context.tokens, await startSession(context, db, request, { user, id: sessionId }))
}

/**
 * Creates the user, or completes an invited user. Returns null if another request has inserted the e-mail address, or set the
 * password of the invited user, first.
 */
async function createUser(
  context: AuthContext,
  request: HttpRequest,
  {
    newUser,
    invitedUser,
    next,
    sessionId,
  }: { newUser: NewUser; invitedUser: UserRow | null; next: string; sessionId: string },
): Promise<UserRow | null> {
  return inTransaction(context.db, async (client) => {
    const id = invitedUser
      ? await completeInvitedUser(client, invitedUser.id, newUser)
      : await insertUser(client, newUser)
    if (id === null) return null
    const user = await finishNewUser(client, context, id, newUser.email)
    if (context.config.emailConfirmation)
      await mailSignUp(context, client, { userId: id, newUser, next, template: 'signup' })
    else await recordEvent(client, request, { action: 'user_signedup', user, sessionId })
    return user
  })
}

interface SignUpMail {
  userId: string | null
  newUser: NewUser
  next: string
  template: 'signup' | 'repeated-signup'
}

/** Mails the confirmation link of a sign-up. With `userId` null, mails instead that an account has this e-mail address. */
async function mailSignUp(
  { keys, mail }: AuthContext,
  db: Querier,
  { userId, newUser, next, template }: SignUpMail,
): Promise<void> {
  const { email, hash } = newUser
  const token = await createLinkToken(db, keys.refreshSecret, {
    userId,
    kind: 'confirmation_token',
    relatesTo: email,
    passwordHash: hash,
  })
  if (userId === null) await mail.queue(db, { template: 'known-address', recipient: email })
  else await mail.queue(db, { template, recipient: email, data: { link: { ...token, next } } })
}

/**
 * Handles an e-mail address that has an account. Does the same work as for a new address and deletes the result, so that the
 * duration of the request does not reveal the account. Returns the user that a new address would have got.
 * - If the address was never confirmed, mails a confirmation link. This link sets the password of this sign-up, and the mail says
 *   so, because somebody else may have signed up first.
 * - If the address was confirmed, mails that it has an account.
 */
async function simulateCreate(context: AuthContext, newUser: NewUser, next: string): Promise<UserRow> {
  const { email, hash, data } = newUser
  const user = await inTransaction(context.db, async (client) => {
    const temporaryEmail = `${randomUUID()}@nobody.invalid`
    const id = await insertUser(client, { email: temporaryEmail, hash, data })
    const temporaryUser = id === null ? null : await finishNewUser(client, context, id, temporaryEmail)
    await client.query('delete from auth.users where id = $1', [id])
    const userId = await recordRepeatedSignUp(client, email)
    await mailSignUp(context, client, { userId, newUser, next, template: 'repeated-signup' })
    return temporaryUser
  })
  if (user === null) throw refusal('unavailable')
  const identities = user.identities.map((identity) => ({
    ...identity,
    identity_data: { ...identity.identity_data, email },
  }))
  return { ...user, email, identities }
}

/**
 * Sets the time of the confirmation mail, which the calling code then queues. Without e-mail confirmation, marks the address
 * as confirmed instead. Adds the row of `auth.identities`, and returns the user, or null if the user does not exist.
 */
async function finishNewUser(db: Querier, { config }: AuthContext, id: string, email: string): Promise<UserRow | null> {
  await db.query({
    name: config.emailConfirmation ? 'auth-user-unconfirmed' : 'auth-user-confirmed',
    text: config.emailConfirmation
      ? 'update auth.users set confirmation_sent_at = now() where id = $1'
      : 'update auth.users set email_confirmed_at = now() where id = $1',
    values: [id],
  })
  await upsertIdentity(db, id, email, !config.emailConfirmation)
  return findUser(db, id)
}

/** Stores the time of a repeated sign-up. Returns the id of the user with this unconfirmed e-mail address, or null. */
async function recordRepeatedSignUp(db: Querier, email: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: 'auth-user-again',
    text: `update auth.users set confirmation_sent_at = now(), updated_at = now()
           where email = $1 and email_confirmed_at is null and not is_sso_user and deleted_at is null returning id`,
    values: [email],
  })
  return rows[0]?.id ?? null
}

/** Sets the password of an invited user and adds the metadata. Returns null if the user has a password already. */
async function completeInvitedUser(db: Querier, id: string, { hash, data }: NewUser): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: 'auth-user-complete',
    text: `
      update auth.users set encrypted_password = $2, updated_at = now(),
        raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || $3::jsonb,
        raw_app_meta_data = coalesce(raw_app_meta_data, '{}') || '{"provider":"email","providers":["email"]}'
      where id = $1 and coalesce(encrypted_password, '') = ''
      returning id`,
    values: [id, hash, JSON.stringify(data)],
  })
  return rows[0]?.id ?? null
}

function withoutNulls(data: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null))
}
