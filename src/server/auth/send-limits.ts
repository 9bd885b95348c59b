import type { Querier } from './users.ts'

/** Subjects and limits of one sending, counted in auth.attempts. Subjects are keyed hashes. */
export interface Sending {
  /** The recipient's subject; each recipient has separate limits. */
  recipient: string
  /** Subjects of the sender. One that has sent in this quarter of an hour may not use its second half. */
  askers: readonly [string, string]
  /** The subject of all sendings of this kind. */
  all: string
  /** Interval between two sendings to one recipient (seconds). */
  intervalSeconds: number
  /** Per recipient and quarter of an hour. */
  perQuarterHour: number
  /** Per hour, for all recipients together; 0: no limit. */
  perHour: number
}

/** Counts one sending, unless a limit is reached: for this recipient or for all. A refused one is not counted. */
export async function countSending(
  db: Querier,
  { recipient, askers, all, intervalSeconds, perQuarterHour, perHour }: Sending,
): Promise<'counted' | 'recipient' | 'all'> {
  const { rows } = await db.query<{ is_counted: boolean; is_closed: boolean }>({
    name: 'auth-sending-count',
    text: countSql,
    values: [
      recipient,
      askers[0],
      askers[1],
      all,
      intervalSeconds,
      perQuarterHour,
      perHour === 0 ? Infinity : perHour / 4,
    ],
  })
  if (rows[0]?.is_counted) return 'counted'
  return rows[0]?.is_closed ? 'all' : 'recipient'
}

/**
 * $1 recipient, $2 and $3 askers, $4 all. Of two concurrent sendings to one recipient, the second sees the first's row.
 */
const countSql = `
  with seen as (
    select
      count(*) filter (where subject = $1) as to_recipient,
      count(*) filter (where subject = $1 and at > now() - make_interval(secs => $5)) as just_now,
      count(*) filter (where subject in ($2, $3)) as of_askers,
      coalesce(sum(n) filter (where subject = $4), 0) as of_all
    from auth.attempts where subject in ($1, $2, $3, $4) and at > now() - interval '15 minutes'
  ), judged as (
    select just_now > 0 or to_recipient >= $6 as is_recipient_full,
      of_all >= $7::numeric or (of_all >= $7::numeric / 2 and of_askers > 0) as is_closed
    from seen
  ), taken as (
    insert into auth.attempts (subject, at, n)
    select $1, date_bin('10 seconds', now(), 'epoch'), 1 from judged where not is_recipient_full and not is_closed
    on conflict do nothing
    returning 1
  ), counted as (
    insert into auth.attempts (subject, at, n)
    select distinct subject, date_bin('10 seconds', now(), 'epoch'), 1 from unnest(array[$2, $3, $4]) as subject, taken
    order by subject
    on conflict (subject, at) do update set n = auth.attempts.n + 1
  )
  select exists (select from taken) as is_counted, is_closed from judged`
