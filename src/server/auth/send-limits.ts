import type { Querier } from './users.ts'

/** What is sent for anybody who asks, counted in auth.attempts under these keyed hashes. */
export interface Sending {
  /** Of whom it goes to; each has limits of its own. */
  recipient: string
  /** Of whoever asks: one of them that has asked in this quarter of an hour gets nothing of its second half. */
  askers: readonly [string, string]
  /** Of everything of its kind. */
  all: string
  /** Seconds between two to one recipient. */
  pause: number
  /** To one recipient in a quarter of an hour. */
  inQuarter: number
  /** In an hour, to all together; 0: as many as people ask for. */
  perHour: number
}

/** Counts one, unless there were too many: to this recipient, or in all. What is refused is not counted. */
export async function countSending(
  db: Querier,
  { recipient, askers, all, pause, inQuarter, perHour }: Sending,
): Promise<'counted' | 'recipient' | 'all'> {
  const { rows } = await db.query<{ is_counted: boolean; is_closed: boolean }>({
    name: 'auth-sending-count',
    text: countSql,
    values: [recipient, askers[0], askers[1], all, pause, inQuarter, perHour === 0 ? Infinity : perHour / 4],
  })
  if (rows[0]?.is_counted) return 'counted'
  return rows[0]?.is_closed ? 'all' : 'recipient'
}

/** $1 recipient, $2 and $3 askers, $4 all. Of two at once to one recipient the second finds the first's row. */
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
