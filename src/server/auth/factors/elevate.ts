import type { SignedInUser } from '#server/auth/authenticate.ts'
import type { AuthContext } from '#server/auth/context.ts'
import { reportSessionsEnded } from '#server/auth/product-sql.ts'
import { replaceRefreshToken } from '#server/auth/refresh-tokens.ts'
import { type NewSession, readMethods } from '#server/auth/sessions.ts'
import { findUser, type Querier } from '#server/auth/users.ts'
import { refusal } from '#server/http/errors.ts'

interface VerifiedFactor {
  factorId: string
  /** The name of the authentication method in the token's `amr`. */
  method: string
}

/**
 * Raises this session to aal2, adds the method to its `amr`, and returns the session with its next refresh token. If the
 * response is lost, a refresh with the previous token returns the same next token. Throws session_not_found if the session
 * has ended. Call it inside a transaction.
 */
export async function raiseSessionToAal2(
  { keys, sessionLife }: AuthContext,
  db: Querier,
  { user, sessionId }: SignedInUser,
  { factorId, method }: VerifiedFactor,
): Promise<NewSession> {
  const { rows: sessions } = await db.query<{ id: string }>(
    `update auth.sessions set aal = 'aal2', factor_id = $3, updated_at = now()
     where id = $1 and user_id = $2 and (not_after is null or not_after > now()) returning id`,
    [sessionId, user.id, factorId],
  )
  const { rows: activeTokens } = await db.query<{ token: string }>(
    'select token from auth.refresh_tokens where session_id = $1 and not revoked',
    [sessionId],
  )
  const [token] = activeTokens
  if (sessions.length === 0 || token === undefined) throw refusal('session_not_found')
  const refreshToken = await replaceRefreshToken(db, { id: sessionId, user_id: user.id }, token.token, {
    secret: keys.refreshSecret,
    life: sessionLife,
  })
  await db.query(
    `insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
     values (gen_random_uuid(), $1, clock_timestamp(), clock_timestamp(), $2)
     on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at`,
    [sessionId, method],
  )
  const updatedUser = await findUser(db, user.id)
  if (updatedUser === null) throw refusal('user_not_found')
  return {
    session: { id: sessionId, aal: 'aal2', amr: await readMethods(db, sessionId) },
    refreshToken,
    user: updatedUser,
  }
}

/** Ends the user's other sessions that have not verified a second factor, and reports them to the product's SQL. */
export async function endWeakSessions(db: Querier, { user, sessionId }: SignedInUser): Promise<void> {
  const { rows } = await db.query<{ id: string }>(
    `delete from auth.sessions where user_id = $1 and id <> $2 and coalesce(aal, 'aal1') = 'aal1' returning id`,
    [user.id, sessionId],
  )
  await reportSessionsEnded(
    db,
    user.id,
    rows.map(({ id }) => id),
  )
}
