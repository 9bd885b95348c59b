import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { pathWithin } from '#server/auth/mail/link.ts'
import { refusal } from '#server/http/errors.ts'
import { type HttpRequest, json } from '#server/http/exchange.ts'
import { recordEvent } from './audit.ts'
import type { AuthContext, AuthVerb } from './context.ts'
import { networkOf } from '#server/http/network.ts'
import { insertIdentity, insertUser, type NewUser } from './new-user.ts'
import { createLinkToken } from './one-time-tokens.ts'
import { checkNewPassword, hashPassword } from './passwords.ts'
import { maySignUp, maySignUpByLink } from './product-sql.ts'
import { metadata, readInput, readNewEmail } from './read-input.ts'
import { withMinimumTime, sameTimeMs } from './minimum-time.ts'
import { respondSession, startSession } from './sessions.ts'
import { inTransaction } from './transaction.ts'
import { findUser, findUserByEmail, type Querier, type UserRow, userJson } from './users.ts'

const input = z.object({
  email: z.string().nullish(),
  password: z.string().nullish(),
  phone: z.string().nullish(),
  data: metadata.nullish(),
})

/**
 * POST /signup: creates a user and signs in; with e-mail confirmation, answers the user without a session. A taken
 * address is 422 user_already_exists. With confirmation it gets the same answer, after the same time, as a new address,
 * so that nobody can find out who has an account; the mail tells the owner of the mailbox. `data.invitation` is the token
 * of a handed-over invitation link, and is not stored.
 */
export const signUp: AuthVerb = async (context, request) => {
  const { config, db, hashQueue, hashCost, limits, mailLimits } = context
  const given = readInput(request, input)
  if (!given.email && !given.password && !given.phone) throw refusal('anonymous_provider_disabled')
  if (config.signUp === 'closed') throw refusal('signup_disabled')
  const email = readNewEmail(given.email)
  const password = given.password ?? ''
  checkNewPassword(password)
  await limits.countAttempt(db, request.ip)

  const known = await findUserByEmail(db, email)
  const isWaited = known?.invited_at != null && known.encrypted_password === null && known.email_confirmed_at === null
  const { invitation, ...data } = withoutNulls(given.data ?? {})
  const isInvited = async () =>
    (await maySignUp(db, email)) || (typeof invitation === 'string' && (await maySignUpByLink(db, email, invitation)))
  if (config.signUp === 'invited' && !isWaited && !(await isInvited())) throw refusal('signup_disabled')
  if (known && !isWaited && !config.emailConfirmation) throw refusal('user_already_exists')

  if (config.emailConfirmation) await mailLimits.countMail(db, email, request.ip)
  const next = pathWithin(context.siteUrl, new URLSearchParams(request.query).get('redirect_to'))
  const sessionId = randomUUID()
  const make = async (): Promise<UserRow> => {
    const asker = { account: email, network: networkOf(request.ip) }
    const newUser = { email, hash: await hashQueue.run(asker, () => hashPassword(password, hashCost)), data }
    const made = { newUser, invited: known, next, sessionId }
    const user = known && !isWaited ? null : await createUser(context, request, made)
    if (user !== null) return user
    if (!config.emailConfirmation) throw refusal('user_already_exists')
    return simulateCreate(context, newUser, next)
  }
  if (config.emailConfirmation) return json(200, userJson(await withMinimumTime(sameTimeMs, make)))
  const user = await make()
  return respondSession(context.tokens, await startSession(context, db, request, { user, id: sessionId }))
}

/** Null if a concurrent request created the address first. */
async function createUser(
  context: AuthContext,
  request: HttpRequest,
  { newUser, invited, next, sessionId }: { newUser: NewUser; invited: UserRow | null; next: string; sessionId: string },
): Promise<UserRow | null> {
  return inTransaction(context.db, async (client) => {
    const id = invited ? await completeInvited(client, invited.id, newUser) : await insertUser(client, newUser)
    if (id === null) return null
    const user = await readyUser(client, context, id, newUser.email)
    if (context.config.emailConfirmation) await mailSignUp(context, client, { userId: id, newUser, next })
    else await recordEvent(client, request, { action: 'user_signedup', user, sessionId })
    return user
  })
}

/** Mails the confirmation link of a sign-up, or the notice that the address has an account (no `userId`). */
async function mailSignUp(
  { keys, mail }: AuthContext,
  db: Querier,
  { userId, newUser, next }: { userId: string | null; newUser: NewUser; next: string },
): Promise<void> {
  const { email, hash } = newUser
  const made = await createLinkToken(db, keys.refreshSecret, {
    userId,
    kind: 'confirmation_token',
    relatesTo: email,
    passwordHash: hash,
  })
  if (userId === null) await mail.queue(db, { template: 'known-address', recipient: email })
  else await mail.queue(db, { template: 'signup', recipient: email, data: { link: { ...made, next } } })
}

/**
 * For a taken address: does the same work as for a new one, and deletes the result. If the address was never confirmed,
 * this sign-up counts too: its link will bring its password.
 */
async function simulateCreate(context: AuthContext, newUser: NewUser, next: string): Promise<UserRow> {
  const { email, hash, data } = newUser
  const user = await inTransaction(context.db, async (client) => {
    const nobodys = `${randomUUID()}@nobody.invalid`
    const id = await insertUser(client, { email: nobodys, hash, data })
    const made = id === null ? null : await readyUser(client, context, id, nobodys)
    await client.query('delete from auth.users where id = $1', [id])
    const userId = await recordRepeatedSignUp(client, email)
    await mailSignUp(context, client, { userId, newUser, next })
    return made
  })
  if (user === null) throw refusal('unavailable')
  const identities = user.identities.map((one) => ({ ...one, identity_data: { ...one.identity_data, email } }))
  return { ...user, email, identities }
}

async function readyUser(db: Querier, { config }: AuthContext, id: string, email: string): Promise<UserRow | null> {
  await db.query({
    name: config.emailConfirmation ? 'auth-user-unconfirmed' : 'auth-user-confirmed',
    text: config.emailConfirmation
      ? 'update auth.users set confirmation_sent_at = now() where id = $1'
      : 'update auth.users set email_confirmed_at = now() where id = $1',
    values: [id],
  })
  await insertIdentity(db, id, email, !config.emailConfirmation)
  return findUser(db, id)
}

/** The user with this unconfirmed address; null if there is none. */
async function recordRepeatedSignUp(db: Querier, email: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: 'auth-user-again',
    text: `update auth.users set confirmation_sent_at = now(), updated_at = now()
           where email = $1 and email_confirmed_at is null and not is_sso_user and deleted_at is null returning id`,
    values: [email],
  })
  return rows[0]?.id ?? null
}

async function completeInvited(db: Querier, id: string, { hash, data }: NewUser): Promise<string | null> {
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
