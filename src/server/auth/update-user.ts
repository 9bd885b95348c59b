import { z } from 'zod'
import { refusal } from '#server/http/errors.ts'
import { json } from '#server/http/exchange.ts'
import { authenticate, type SignedIn } from './authenticate.ts'
import type { AuthContext, AuthVerb } from './context.ts'
import { checkNewPassword, hashPassword, verifyPassword } from './passwords.ts'
import { fitsToken, metadata, readEmail, readInput } from './read-input.ts'
import { inTransaction } from './transaction.ts'
import { findUser, findUserByEmail, type Querier, userJson } from './users.ts'

const input = z.object({
  email: z.string().nullish(),
  password: z.string().nullish(),
  data: metadata.nullish(),
  app_metadata: z.unknown().optional(),
})

interface Change {
  email: string | null
  hash: string | null
  data: Record<string, unknown> | null
}

/**
 * PUT /user: new metadata (merged at the top level, null takes a member away), password (which ends the user's other
 * sessions) or e-mail address. All of it or nothing.
 */
export const updateUser: AuthVerb = async (context, request) => {
  const { db, limits } = context
  const given = readInput(request, input)
  const signedIn = await authenticate(context, request)
  if (given.app_metadata !== undefined) throw refusal('not_admin')
  if (!fitsToken({ ...signedIn.user.raw_user_meta_data, ...given.data })) {
    throw refusal('validation_failed', { message: 'data: too much together with what is there' })
  }
  const email = readNewEmail(context, signedIn, given.email ?? null)
  if (email !== null) {
    await limits.refuseThrottled(db, null, request.ip)
    await limits.countAttempt(db, request.ip)
    if (await findUserByEmail(db, email)) throw refusal('email_exists')
  }
  const hash = given.password ? await hashNewPassword(context, signedIn, given.password) : null
  const change = { email, hash, data: given.data ?? null }
  const user = await inTransaction(db, async (client) => {
    await writeChange(client, signedIn, change)
    return findUser(client, signedIn.user.id)
  })
  if (user === null) throw refusal('user_not_found')
  return json(200, userJson(user))
}

/** Null where the address stays. Where addresses are confirmed by mail, an unconfirmed one is not taken. */
function readNewEmail({ config }: AuthContext, { user }: SignedIn, given: string | null): string | null {
  if (given === null || given === '') return null
  const email = readEmail(given)
  if (email === user.email) return null
  if (config.emailConfirmation) throw refusal('email_address_not_authorized')
  return email
}

async function hashNewPassword({ hashQueue }: AuthContext, { user }: SignedIn, password: string): Promise<string> {
  checkNewPassword(password)
  return hashQueue.run(user.email ?? user.id, async () => {
    if (await verifyPassword(user.encrypted_password, password)) throw refusal('same_password')
    return hashPassword(password)
  })
}

async function writeChange(db: Querier, { user, sessionId }: SignedIn, { email, hash, data }: Change): Promise<void> {
  if (data !== null) {
    const removed = Object.keys(data).filter((name) => data[name] === null)
    await db.query(
      `update auth.users set raw_user_meta_data = (coalesce(raw_user_meta_data, '{}') || $2::jsonb) - $3::text[],
         updated_at = now() where id = $1`,
      [user.id, JSON.stringify(data), removed],
    )
  }
  if (hash !== null) {
    await db.query('update auth.users set encrypted_password = $2, updated_at = now() where id = $1', [user.id, hash])
    await db.query('delete from auth.sessions where user_id = $1 and id <> $2', [user.id, sessionId])
  }
  if (email !== null) await writeEmail(db, user.id, email)
}

async function writeEmail(db: Querier, userId: string, email: string): Promise<void> {
  try {
    await db.query('update auth.users set email = $2, updated_at = now() where id = $1', [userId, email])
  } catch (error) {
    if ((error as { code?: string }).code === '23505') throw refusal('email_exists')
    throw error
  }
  await db.query(
    `update auth.identities set identity_data = identity_data || jsonb_build_object('email', $2::text), updated_at = now()
     where user_id = $1 and provider = 'email'`,
    [userId, email],
  )
}
