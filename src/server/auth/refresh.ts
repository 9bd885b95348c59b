import { z } from 'zod'
import { refusal } from '#server/http/errors.ts'
import type { AuthContext, AuthHandler } from './context.ts'
import { reportSessionsEnded } from './product-sql.ts'
import { readInput } from './read-input.ts'
import { hashRefreshToken, nextRefreshToken, replaceRefreshToken } from './refresh-tokens.ts'
import { activeSessionSql, type SessionLife } from './session-life.ts'
import { type NewSession, readMethods, respondSession } from './sessions.ts'
import { inTransaction } from './transaction.ts'
import { findUser, type Querier } from './users.ts'

const inputSchema = z.object({ refresh_token: z.string().min(1).max(200) })

/**
 * How long a used refresh token is still accepted (seconds): two tabs may refresh at the same time, or a response may be
 * lost.
 */
const reuseToleranceSeconds = 10

/**
 * Maximum number of tokens between a used token and the active one. It is many more than a session can get within
 * `reuseToleranceSeconds`.
 */
const maxGenerations = 100

interface SessionRow {
  id: string
  user_id: string
  aal: string
}

interface TokenRow {
  token: string
  revoked: boolean
  parent: string | null
  is_recent: boolean
}

/**
 * POST /token?grant_type=refresh_token: returns a refresh token and a new access token of the same session and level.
 * - A request with the active refresh token gets the next token, which is then the active one. This extends the session.
 * - A request with the token directly before the active token, or with a token that was used within the last 10 s, gets the
 *   active token again.
 * - An older token must have been stolen: the session ends, and refresh_token_already_used is thrown.
 *
 * Throws refresh_token_not_found for an unknown token or an ended session, and user_banned for a blocked user.
 */
export const refresh: AuthHandler = async (context, request) => {
  const { refresh_token: givenToken } = readInput(request, inputSchema)
  const renewedSession = await inTransaction(context.db, (client) => renew(context, client, givenToken))
  if (renewedSession === 'reused') {
    context.log.warn({ id: request.id }, 'a used refresh token was sent again: its session was ended')
    throw refusal('refresh_token_already_used')
  }
  return respondSession(context.tokens, renewedSession)
}

/** Renews the session. Returns 'reused' for a stolen token instead of throwing, so that the end of the session is committed. */
async function renew(
  { keys, sessionLife }: AuthContext,
  db: Querier,
  givenToken: string,
): Promise<NewSession | 'reused'> {
  const session = await lockSession(db, hashRefreshToken(givenToken), sessionLife)
  if (session === null) throw refusal('refresh_token_not_found')
  const token = await findOrCreateActiveToken(db, session, givenToken, {
    secret: keys.refreshSecret,
    life: sessionLife,
  })
  if (token === null) {
    await db.query('delete from auth.sessions where id = $1', [session.id])
    await reportSessionsEnded(db, session.user_id, [session.id])
    return 'reused'
  }
  const user = await findUser(db, session.user_id)
  if (user === null) throw refusal('refresh_token_not_found')
  if (user.banned_until !== null && user.banned_until > new Date()) throw refusal('user_banned')
  const amr = await readMethods(db, session.id)
  return { session: { id: session.id, aal: session.aal, amr }, refreshToken: token, user }
}

/**
 * Finds and locks the active session of a token. Returns null if there is none. The first of several parallel refreshes
 * rotates the token for all of them.
 */
async function lockSession(
  db: Querier,
  tokenHash: string,
  { idleDays, maxDays }: SessionLife,
): Promise<SessionRow | null> {
  const { rows } = await db.query<SessionRow>({
    name: 'auth-refresh-lock',
    text: `
      select s.id, s.user_id, coalesce(s.aal::text, 'aal1') as aal
      from auth.refresh_tokens t join auth.sessions s on s.id = t.session_id
      where t.token = $1 and ${activeSessionSql('$2', '$3')}
      for update of s`,
    values: [tokenHash, idleDays, maxDays],
  })
  return rows[0] ?? null
}

/**
 * Returns the session's active refresh token after this refresh. Returns null if the given token is not accepted any more.
 * Reads the tokens after the session is locked, because they may have changed while this request waited for the lock.
 */
async function findOrCreateActiveToken(
  db: Querier,
  session: SessionRow,
  givenToken: string,
  options: { secret: Buffer; life: SessionLife },
): Promise<string | null> {
  const hash = hashRefreshToken(givenToken)
  const { rows } = await db.query<TokenRow>({
    name: 'auth-refresh-tokens',
    text: `
      select token, revoked, parent, updated_at > clock_timestamp() - make_interval(secs => $3) as is_recent
      from auth.refresh_tokens where session_id = $1 and (token = $2 or not revoked)`,
    values: [session.id, hash, reuseToleranceSeconds],
  })
  const givenRow = rows.find(({ token }) => token === hash)
  if (givenRow && !givenRow.revoked) return replaceRefreshToken(db, session, hash, options)
  const activeRow = rows.find(({ revoked }) => !revoked)
  const isTolerated = activeRow !== undefined && (activeRow.parent === hash || givenRow?.is_recent === true)
  return isTolerated ? followTokenChain(givenToken, activeRow.token, options.secret) : null
}

/** Follows the chain from a used token to the token with `activeHash`. Returns null if the chain does not contain it. */
function followTokenChain(givenToken: string, activeHash: string, secret: Buffer): string | null {
  let token = givenToken
  for (let step = 0; step < maxGenerations; step++) {
    token = nextRefreshToken(hashRefreshToken(token), secret)
    if (hashRefreshToken(token) === activeHash) return token
  }
  return null
}
