import { isIP } from 'node:net'
import type { HttpRequest } from '#server/http/exchange.ts'
import type { Querier } from './users.ts'

export interface AuthEvent {
  action: keyof typeof logTypes
  /** The account that the event concerns. Null if the e-mail address has no account. */
  user: { id: string; email: string | null } | null
  /** The session that sent the request, or the session that starts with the event. */
  sessionId?: string
  /** Details of the event, such as the authentication method. */
  traits?: Record<string, string>
}

/** GoTrue's log type of each action that is recorded. */
const logTypes = {
  user_signedup: 'team',
  login: 'account',
  login_failed: 'account',
  logout: 'account',
  user_recovery_requested: 'user',
  user_confirmed: 'user',
  user_banned: 'user',
  user_unbanned: 'user',
  user_updated_password: 'user',
  user_modified: 'user',
  factor_verified: 'factor',
  factor_deleted: 'factor',
  mfa_failed: 'factor',
  recovery_codes_generated: 'recovery_codes',
  recovery_code_used: 'recovery_codes',
} as const

/**
 * Adds an entry to the audit log. `request` is null for a command of the operator. Call it inside the transaction of the
 * change if there is one. An entry never contains a password, a code, a token, or an e-mail address that has no account. One
 * call in a thousand deletes old entries.
 */
export async function recordEvent(db: Querier, request: HttpRequest | null, event: AuthEvent): Promise<void> {
  const { action, user, sessionId, traits } = event
  const payload = {
    action,
    actor_id: user?.id ?? null,
    actor_username: user?.email ?? null,
    log_type: logTypes[action],
    ...(sessionId ? { session_id: sessionId } : {}),
    ...(traits ? { traits } : {}),
  }
  await db.query({
    name: 'auth-audit',
    text: 'insert into auth.audit_log_entries (payload, ip_address) values ($1, $2)',
    values: [JSON.stringify(payload), request !== null && isIP(request.ip) ? request.ip : ''],
  })
  if (Math.random() < 0.001) await db.query(pruneSql)
}

/** Deletes up to 1,000 entries that are older than one year. */
const pruneSql = `delete from auth.audit_log_entries where id in (
  select id from auth.audit_log_entries where created_at < now() - interval '1 year' limit 1000)`
