import type { Querier } from './users.ts'

/** How long sessions live (days); 0: no end. */
export interface SessionLife {
  /** Since the last refresh. */
  idleDays: number
  /** Since the sign-in. */
  maxDays: number
}

/**
 * SQL: whether row `s` of auth.sessions is active, by its own end and by the operator's current limits. `idle`, `max`:
 * parameters (days).
 */
export function isActiveSql(idle: string, max: string): string {
  return `coalesce(least(s.not_after, auth.session_end(s.created_at,
    greatest(s.created_at, s.refreshed_at at time zone 'utc'), ${idle}, ${max})), 'infinity') > now()`
}

/** Sessions of one user at the same time. Above it, the least recently used ones end. */
const maxSessions = 50

/**
 * After a new session: deletes the user's ended sessions and those above the limit; now and then all ended sessions.
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

/** Deletes ended sessions, a thousand at a time. */
async function sweepSessions(db: Querier): Promise<void> {
  await db.query(
    'delete from auth.sessions where id in (select id from auth.sessions where not_after < now() limit 1000)',
  )
}

/**
 * At the start: sets the end of sessions from an older release, and of sessions with a longer life than the operator
 * now allows. A longer setting applies from the next refresh on.
 */
export async function limitSessions(db: Querier, { idleDays, maxDays }: SessionLife): Promise<void> {
  await db.query(
    `update auth.sessions s set not_after = e.at
     from (select id, auth.session_end(created_at, greatest(created_at, refreshed_at at time zone 'utc'), $1, $2) as at
           from auth.sessions) e
     where e.id = s.id and (s.not_after is null or s.not_after > e.at) and e.at is not null`,
    [idleDays, maxDays],
  )
  await sweepSessions(db)
}
