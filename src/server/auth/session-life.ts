import type { Querier } from './users.ts'

/** How long sessions live. Days; 0: no end. */
export interface SessionLife {
  /** Since the last refresh. */
  idleDays: number
  /** In all. */
  maxDays: number
}

/** Whether row `s` of auth.sessions lives, by its own end and by what the operator says now. `idle`, `max`: parameters, days. */
export function isLiving(idle: string, max: string): string {
  return `coalesce(least(s.not_after, auth.session_end(s.created_at,
    greatest(s.created_at, s.refreshed_at at time zone 'utc'), ${idle}, ${max})), 'infinity') > now()`
}

/** Of one user at once; beyond it those that were not used for the longest time go. */
const maxSessions = 50

/** After a new session: the user's that have ended go, and those beyond the limit; now and then everybody's that have ended. */
export async function makeRoom(db: Querier, userId: string): Promise<void> {
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

/** Sessions that have ended, a thousand at a time. */
async function sweepSessions(db: Querier): Promise<void> {
  await db.query(
    'delete from auth.sessions where id in (select id from auth.sessions where not_after < now() limit 1000)',
  )
}

/**
 * At the start: sessions of an older release, or of a longer life that the operator has shortened, end when they should. A
 * longer one counts from the next refresh on.
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
