import type { Querier } from './users.ts'

/** How long sessions live at most, in days. 0: this limit does not apply. */
export interface SessionLife {
  /** Number of days after the last refresh at which a session ends. */
  idleDays: number
  /** Number of days after the sign-in at which a session ends. */
  maxDays: number
}

/**
 * Returns an SQL condition: row `s` of auth.sessions is active. This depends on its stored end (`not_after`) and on the
 * operator's current limits. `idle` and `max` are the SQL parameters of the limits (days).
 */
export function activeSessionSql(idle: string, max: string): string {
  return `coalesce(least(s.not_after, auth.session_end(s.created_at,
    greatest(s.created_at, s.refreshed_at at time zone 'utc'), ${idle}, ${max})), 'infinity') > now()`
}

/** Maximum number of sessions of one user. Above it, the least recently used sessions end. */
const maxSessions = 50

/**
 * Deletes the user's ended sessions and the sessions above the limit. Call it after a session was created. One call in a
 * hundred also deletes ended sessions of all users.
 */
export async function deleteExcessSessions(db: Querier, userId: string): Promise<void> {
  await db.query({
    name: 'auth-sessions-room',
    text: `
      delete from auth.sessions where user_id = $1 and (not_after < now() or id in (
        select id from auth.sessions where user_id = $1
        order by greatest(created_at, refreshed_at at time zone 'utc') desc, id offset $2))`,
    values: [userId, maxSessions],
  })
  if (Math.random() < 0.01) await sweepSessions(db)
}

/** Deletes up to 1,000 ended sessions. */
async function sweepSessions(db: Querier): Promise<void> {
  await db.query(
    'delete from auth.sessions where id in (select id from auth.sessions where not_after < now() limit 1000)',
  )
}

/**
 * Stores the end of sessions that have no stored end, shortens sessions that would live longer than the operator allows now,
 * and deletes ended sessions (up to 1,000). Call it when the server starts. If the operator allows a longer life than before, a session
 * gets the longer life at its next refresh.
 */
export async function applySessionLife(db: Querier, { idleDays, maxDays }: SessionLife): Promise<void> {
  await db.query(
    `update auth.sessions s set not_after = e.at
     from (select id, auth.session_end(created_at, greatest(created_at, refreshed_at at time zone 'utc'), $1, $2) as at
           from auth.sessions) e
     where e.id = s.id and (s.not_after is null or s.not_after > e.at) and e.at is not null`,
    [idleDays, maxDays],
  )
  await sweepSessions(db)
}
