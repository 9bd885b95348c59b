import { randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import { refusal } from '#server/http/errors.ts'
import { type HttpResponse, type HttpRequest, json } from '#server/http/exchange.ts'
import { accessTokenLifeSeconds, type SessionFacts, type TokenSigner } from './tokens.ts'
import type { AuthContext } from './context.ts'
import { hashRefreshToken, newRefreshToken } from './refresh-tokens.ts'
import { deleteExcessSessions } from './session-life.ts'
import { type Querier, type UserRow, userJson } from './users.ts'

export interface NewSession {
  session: SessionFacts
  refreshToken: string
  user: UserRow
}

export interface SessionStart {
  user: UserRow
  /** The authentication method, by its name in the token. Default: password. */
  method?: string
  /** The id of the new session, if the calling code has chosen it already. Default: a new id. */
  id?: string
}

/**
 * Starts a session at aal1 and stores the time of the sign-in. If the user then has too many sessions, the least recently used
 * sessions end. Throws invalid_credentials if the password was changed or the account was blocked after `user` was read: such a
 * change ends the user's other sessions, so no new one may start.
 */
export async function startSession(
  { sessionLife }: Pick<AuthContext, 'sessionLife'>,
  db: Querier,
  request: HttpRequest,
  { user, method = 'password', id = randomUUID() }: SessionStart,
): Promise<NewSession> {
  const refreshToken = newRefreshToken()
  const { rows } = await db.query<{ id: string; at: Date }>({
    name: 'auth-session-start',
    text: `
      with unchanged as (
        select id from auth.users
        where id = $1 and nullif(encrypted_password, '') is not distinct from $9 and coalesce(banned_until <= now(), true)
        for no key update
      ), session as (
        insert into auth.sessions (id, user_id, created_at, updated_at, aal, user_agent, ip, not_after)
        select $6, id, now(), now(), 'aal1', $3, $4::inet, auth.session_end(now(), now(), $7, $8) from unchanged
        returning id, created_at
      ), token as (
        insert into auth.refresh_tokens (token, user_id, revoked, created_at, updated_at, session_id)
        select $2, $1::text, false, now(), now(), id from session
      ), method as (
        insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
        select gen_random_uuid(), id, now(), now(), $5 from session
      ), signed_in as (
        update auth.users set last_sign_in_at = now(), updated_at = now() where id in (select id from unchanged)
      ), used as (
        update auth.identities set last_sign_in_at = now(), updated_at = now()
        where user_id in (select id from unchanged) and provider = 'email'
      )
      select id, created_at as at from session`,
    values: [
      user.id,
      hashRefreshToken(refreshToken),
      userAgent(request),
      isIP(request.ip) ? request.ip : null,
      method,
      id,
      sessionLife.idleDays,
      sessionLife.maxDays,
      user.encrypted_password,
    ],
  })
  const [row] = rows
  if (row === undefined) throw refusal('invalid_credentials')
  await deleteExcessSessions(db, user.id)
  const amr = [{ method, timestamp: Math.floor(row.at.getTime() / 1000) }]
  return { session: { id: row.id, aal: 'aal1', amr }, refreshToken, user: { ...user, last_sign_in_at: row.at } }
}

/** Signs a new access token and returns the session in GoTrue's format (docs/supabase-protocol.md, section 2). */
export async function respondSession(
  tokens: TokenSigner,
  { session, refreshToken, user }: NewSession,
): Promise<HttpResponse> {
  const { token, expiresAt } = await tokens.sign(user, session)
  return json(200, {
    access_token: token,
    token_type: 'bearer',
    expires_in: accessTokenLifeSeconds,
    expires_at: expiresAt,
    refresh_token: refreshToken,
    user: userJson(user),
  })
}

/** Returns the authentication methods of a session, newest first. */
export async function readMethods(db: Querier, sessionId: string): Promise<SessionFacts['amr']> {
  const { rows } = await db.query<{ method: string; timestamp: number }>({
    name: 'auth-session-methods',
    text: `select authentication_method as method, extract(epoch from updated_at)::int as timestamp
           from auth.mfa_amr_claims where session_id = $1 order by updated_at desc`,
    values: [sessionId],
  })
  return rows
}

/** Returns the header User-Agent, truncated to a readable length, for the list of sessions. */
function userAgent({ headers }: HttpRequest): string {
  return (headers['user-agent'] ?? '').slice(0, 300)
}
