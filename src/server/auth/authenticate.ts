import { errors as joseErrors, type JWTPayload } from 'jose'
import { refusal } from '#server/http/errors.ts'
import type { HttpRequest } from '#server/http/exchange.ts'
import type { AuthContext } from './context.ts'
import { activeSessionSql, type SessionLife } from './session-life.ts'
import { findUser, type Querier, type UserRow } from './users.ts'

export interface SignedInUser {
  user: UserRow
  sessionId: string
  /**
   * The assurance level of the request. It is aal2 if both the token and the session have the level aal2, otherwise aal1. The
   * session is checked too, because it returns to aal1 when its second factor is deleted; the token keeps its level until it expires.
   */
  aal: string
  /** The authentication methods in the token, newest first. `timestamp`: Unix seconds. */
  amr: readonly { method: string; timestamp: number }[]
}

/** The part of the context that `authenticate` needs. `db` is the pool, or the connection of a transaction. */
type AuthenticationContext = Pick<AuthContext, 'keys' | 'tokens' | 'sessionLife'> & { db: Querier }

/**
 * Returns the user and the active session of a request's token. Throws no_authorization without a token and bad_jwt for
 * an invalid or expired token, both without a query; user_not_found if the user was deleted; session_not_found if the
 * session has ended.
 */
export async function authenticate(context: AuthenticationContext, request: HttpRequest): Promise<SignedInUser> {
  const claims = await verifyBearer(context, request)
  const [userId, sessionId] = [String(claims.sub), String(claims.session_id)]
  const user = await findUser(context.db, userId)
  if (user === null) throw refusal('user_not_found')
  const sessionLevel = await readSessionLevel(context.db, { sessionId, userId }, context.sessionLife)
  if (sessionLevel === null) throw refusal('session_not_found')
  const aal = claims.aal === sessionLevel ? sessionLevel : 'aal1'
  return { user, sessionId, aal, amr: claims.amr as SignedInUser['amr'] }
}

/** Whether the request has a bearer token, valid or not, other than the publishable key. */
export function hasBearerToken(context: AuthenticationContext, request: HttpRequest): boolean {
  return bearerOf(context, request) !== undefined
}

function bearerOf({ keys }: AuthenticationContext, request: HttpRequest): string | undefined {
  const token = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
  return token === keys.publishableKey ? undefined : token
}

async function verifyBearer(context: AuthenticationContext, request: HttpRequest): Promise<JWTPayload> {
  const { tokens } = context
  const token = bearerOf(context, request)
  if (token === undefined) throw refusal('no_authorization')
  try {
    return await tokens.verify(token)
  } catch (error) {
    if (!(error instanceof joseErrors.JOSEError)) throw error
    throw refusal('bad_jwt', { message: `invalid JWT: unable to parse or verify signature, ${reasonOf(error)}` })
  }
}

function reasonOf(error: joseErrors.JOSEError): string {
  if (error instanceof joseErrors.JWTExpired) return 'token is expired'
  if (error instanceof joseErrors.JWTClaimValidationFailed) return 'token has invalid claims'
  return 'token signature is invalid'
}

async function readSessionLevel(
  db: Querier,
  { sessionId, userId }: { sessionId: string; userId: string },
  { idleDays, maxDays }: SessionLife,
): Promise<string | null> {
  const { rows } = await db.query<{ aal: string }>({
    name: 'auth-session-living',
    text: `
      select coalesce(s.aal::text, 'aal1') as aal from auth.sessions s
      where s.id = $1 and s.user_id = $2 and ${activeSessionSql('$3', '$4')}`,
    values: [sessionId, userId, idleDays, maxDays],
  })
  return rows[0]?.aal ?? null
}
