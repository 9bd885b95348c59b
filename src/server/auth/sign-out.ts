import { refusal } from '#server/http/errors.ts'
import { recordEvent } from './audit.ts'
import type { AuthVerb } from './context.ts'
import { authenticate } from './authenticate.ts'

/** What each scope ends, of the sessions of user $1 asking from session $2. */
const ENDS: Record<string, string> = {
  global: 'delete from auth.sessions where user_id = $1 and $2::uuid is not null',
  local: 'delete from auth.sessions where user_id = $1 and id = $2',
  others: 'delete from auth.sessions where user_id = $1 and id <> $2',
}

/** POST /logout?scope=global|local|others: ends sessions at once, their refresh and access tokens with them. 204. */
export const signOut: AuthVerb = async (context, request) => {
  const scope = new URLSearchParams(request.query).get('scope') || 'global'
  const statement = Object.hasOwn(ENDS, scope) ? ENDS[scope] : undefined
  const { user, sessionId } = await authenticate(context, request)
  if (statement === undefined) throw refusal('validation_failed', { message: 'scope must be global, local or others' })
  await context.db.query(statement, [user.id, sessionId])
  await recordEvent(context.db, request, { action: 'logout', user, traits: { scope } })
  return { status: 204 }
}
