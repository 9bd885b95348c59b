import type { Querier } from './users.ts'

/**
 * The keys of the counters of a message (a mail or a text message), and its limits. The counters are in the table
 * auth.attempts.
 */
export interface CountedMessage {
  /** Key of the counter for the recipient. Each recipient has separate limits. */
  recipientKey: string
  /**
   * Keys of the two counters for the sender; twice the same key if there is only one counter. Half of the messages of a quarter
   * of an hour are reserved for senders that, by both counters, have sent no message in the last 15 minutes.
   */
  senderKeys: readonly [string, string]
  /** Key of the counter for all messages of this kind. */
  totalKey: string
  /** Minimum time between two messages to one recipient (seconds). */
  intervalSeconds: number
  /** Maximum number of messages per recipient and quarter of an hour. */
  perQuarterHour: number
  /** Maximum number of messages per hour, for all recipients together: in 15 minutes, a quarter of this number. 0: no limit. */
  perHour: number
}

/**
 * Counts a message and returns 'counted'. If a limit is reached, counts nothing and returns which one: 'total' is the limit
 * of all messages together, or the half of it that this sender may use; 'recipient' is the limit of the recipient.
 */
export async function countIfAllowed(
  db: Querier,
  { recipientKey, senderKeys, totalKey, intervalSeconds, perQuarterHour, perHour }: CountedMessage,
): Promise<'counted' | 'recipient' | 'total'> {
  const { rows } = await db.query<{ is_counted: boolean; is_total_full: boolean }>({
    name: 'auth-sending-count',
    text: countSql,
    values: [
      recipientKey,
      senderKeys[0],
      senderKeys[1],
      totalKey,
      intervalSeconds,
      perQuarterHour,
      perHour === 0 ? Infinity : perHour / 4,
    ],
  })
  if (rows[0]?.is_counted) return 'counted'
  return rows[0]?.is_total_full ? 'total' : 'recipient'
}

/**
 * Counts a message if its limits allow it. $1 is the key of the recipient, $2 and $3 are the keys of the sender, $4 is the
 * key of all messages; $5 is the interval (seconds), $6 and $7 are the limits of the recipient and of all messages in 15
 * minutes. If two messages to one recipient are counted within the same ten seconds, the second one conflicts with the row
 * of the first and is refused.
 */
const countSql = `
  with seen as (
    select
      count(*) filter (where subject = $1) as to_recipient,
      count(*) filter (where subject = $1 and at > now() - make_interval(secs => $5)) as just_now,
      count(*) filter (where subject in ($2, $3)) as from_sender,
      coalesce(sum(n) filter (where subject = $4), 0) as of_all
    from auth.attempts where subject in ($1, $2, $3, $4) and at > now() - interval '15 minutes'
  ), judged as (
    select just_now > 0 or to_recipient >= $6 as is_recipient_full,
      of_all >= $7::numeric or (of_all >= $7::numeric / 2 and from_sender > 0) as is_total_full
    from seen
  ), taken as (
    insert into auth.attempts (subject, at, n)
    select $1, date_bin('10 seconds', now(), 'epoch'), 1 from judged where not is_recipient_full and not is_total_full
    on conflict do nothing
    returning 1
  ), counted as (
    insert into auth.attempts (subject, at, n)
    select distinct subject, date_bin('10 seconds', now(), 'epoch'), 1 from unnest(array[$2, $3, $4]) as subject, taken
    order by subject
    on conflict (subject, at) do update set n = auth.attempts.n + 1
  )
  select exists (select from taken) as is_counted, is_total_full from judged`
