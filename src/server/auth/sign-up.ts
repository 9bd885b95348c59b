import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { refusal } from '#server/http/errors.ts'
import { json } from '#server/http/exchange.ts'
import type { AuthContext, AuthVerb } from './context.ts'
import { checkNewPassword, hashPassword } from './passwords.ts'
import { metadata, readEmail, readInput } from './read-input.ts'
import { respondSession, startSession } from './sessions.ts'
import { inTransaction } from './transaction.ts'
import { findUser, findUserByEmail, type Querier, type UserRow, userJson } from './users.ts'

const input = z.object({
  email: z.string().nullish(),
  password: z.string().nullish(),
  phone: z.string().nullish(),
  data: metadata.nullish(),
})

interface NewUser {
  email: string
  hash: string
  data: Record<string, unknown>
}

/**
 * POST /signup: a new user, signed in at once; with e-mail confirmation, the bare user, who may sign in when confirmed.
 * An address that is taken is 422 user_already_exists; with confirmation the answer is that of a new address, in shape
 * and in time, because then it need not tell anybody who has an account.
 */
export const signUp: AuthVerb = async (context, request) => {
  const { config, db, hashQueue, limits } = context
  const given = readInput(request, input)
  if (!given.email && !given.password && !given.phone) throw refusal('anonymous_provider_disabled')
  if (config.signUp === 'closed') throw refusal('signup_disabled')
  const email = readEmail(given.email)
  const password = given.password ?? ''
  checkNewPassword(password)
  await limits.refuseThrottled(db, null, request.ip)
  await limits.countAttempt(db, request.ip)

  const known = await findUserByEmail(db, email)
  const isWaited = known?.invited_at != null && known.encrypted_password === null
  if (config.signUp === 'invited' && !isWaited) throw refusal('signup_disabled')
  if (known && !isWaited && !config.emailConfirmation) throw refusal('user_already_exists')

  const hash = await hashQueue.run(email, () => hashPassword(password))
  const newUser = { email, hash, data: withoutNulls(given.data ?? {}) }
  const user = known && !isWaited ? null : await createUser(context, newUser, known)
  if (user !== null && !config.emailConfirmation)
    return respondSession(context.tokens, await startSession(db, user, request))
  if (user === null && !config.emailConfirmation) throw refusal('user_already_exists')
  return json(200, userJson(user ?? (await pretendToCreate(context, newUser))))
}

/** Null where somebody else was faster with this address. */
async function createUser(context: AuthContext, newUser: NewUser, invited: UserRow | null): Promise<UserRow | null> {
  return inTransaction(context.db, async (client) => {
    const id = invited ? await completeInvited(client, invited.id, newUser) : await insertUser(client, newUser)
    return id === null ? null : readyUser(client, context, id, newUser.email)
  })
}

/** The user that a new address would have got: all the same work, and gone again when it is done. */
async function pretendToCreate(context: AuthContext, { email, hash, data }: NewUser): Promise<UserRow> {
  const user = await inTransaction(context.db, async (client) => {
    const nobodys = `${randomUUID()}@nobody.invalid`
    const id = await insertUser(client, { email: nobodys, hash, data })
    const made = id === null ? null : await readyUser(client, context, id, nobodys)
    await client.query('delete from auth.users where id = $1', [id])
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

async function insertUser(db: Querier, { email, hash, data }: NewUser): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: 'auth-user-insert',
    text: `
      insert into auth.users (instance_id, id, aud, role, email, encrypted_password, raw_app_meta_data,
        raw_user_meta_data, created_at, updated_at)
      values ('00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'authenticated', 'authenticated', $1, $2,
        '{"provider":"email","providers":["email"]}', $3, now(), now())
      on conflict do nothing
      returning id`,
    values: [email, hash, JSON.stringify(data)],
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

async function insertIdentity(db: Querier, userId: string, email: string, verified: boolean): Promise<void> {
  const data = { sub: userId, email, email_verified: verified, phone_verified: false }
  await db.query({
    name: 'auth-identity-insert',
    text: `
      insert into auth.identities (id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
      values (gen_random_uuid(), $1::text, $1::uuid, $2, 'email', now(), now(), now())
      on conflict (provider_id, provider) do update set identity_data = excluded.identity_data, updated_at = now()`,
    values: [userId, JSON.stringify(data)],
  })
}

function withoutNulls(data: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null))
}
