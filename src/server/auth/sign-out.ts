import { hasVerifiedFactor } from '#server/auth/factors/factor.ts'
import { insufficientLevel } from '#server/auth/factors/refusals.ts'
import { refusal } from '#server/http/errors.ts'
import { recordEvent } from './audit.ts'
import type { AuthHandler } from './context.ts'
import { authenticate } from './authenticate.ts'
import { reportSessionsEnded } from './product-sql.ts'

/** The statements that delete sessions, by the scope of the sign-out. $1 is the user, $2 is the session of the request. */
const deleteSqlByScope = {
  global: 'delete from auth.sessions where user_id = $1 and $2::uuid is not null',
  local: 'delete from auth.sessions where user_id = $1 and id = $2',
  others: 'delete from auth.sessions where user_id = $1 and id <> $2',
} as const
type Scope = keyof typeof deleteSqlByScope

const isScope = (text: string): text is Scope => Object.hasOwn(deleteSqlByScope, text)

/**
 * POST /logout?scope=global|local|others: ends at once all sessions of the user (the default), only this session, or all other
 * sessions. Their refresh and access tokens become invalid. The response is 204. A session that has not verified the user's
 * second factor cannot end other sessions: `others` gets 422 (the official client would ignore a 403), and `global` ends only
 * this session.
 */
export const signOut: AuthHandler = async (context, request) => {
  const requested = new URLSearchParams(request.query).get('scope') || 'global'
  if (!isScope(requested)) throw refusal('validation_failed', { message: 'scope must be global, local or others' })
  const { user, sessionId, aal } = await authenticate(context, request)
  const isWeak = requested !== 'local' && aal !== 'aal2' && (await hasVerifiedFactor(context.db, user.id))
  if (isWeak && requested === 'others') throw insufficientLevel(422)
  const scope = isWeak ? 'local' : requested
  await context.db.query(deleteSqlByScope[scope], [user.id, sessionId])
  if (scope !== 'local') await reportSessionsEnded(context.db, user.id)
  await recordEvent(context.db, request, { action: 'logout', user, sessionId, traits: { scope } })
  return { status: 204 }
}
