import { createHmac } from 'node:crypto'
import { refusal } from '#server/http/errors.ts'
import { network } from './rate-limits.ts'
import type { Querier } from './users.ts'

export interface MailLimits {
  /**
   * Counts a mail to `email`, whether or not anybody has it, that `address` (IP) asked for. Throws 429
   * over_email_send_rate_limit with `Retry-After`.
   */
  countMail(db: Querier, email: string, address: string): Promise<void>
}

/** Seconds between two mails to one address. */
const PAUSE = 60
/** And at most as many in a quarter of an hour: nobody can keep somebody from their mail for longer than that. */
const IN_QUARTER = 5
/** How long to wait where all mail of a quarter of an hour is gone. Seconds. */
const QUARTER = 900

/**
 * Limits on the mail that anybody can have sent: to one address, and `perHour` in all, by quarters of an hour. Half of a
 * quarter's is kept for networks that have asked for none in it: who goes on asking stops nobody else's mail. Counted in
 * auth.attempts, so that it outlives a restart, under keyed hashes. Only mail that goes is counted. `isOn` false: no limits;
 * `perHour` 0: none on all mail, one recipient's stays.
 */
export function createMailLimits(isOn: boolean, perHour: number, secret: Buffer): MailLimits {
  const subjectOf = (text: string) => createHmac('sha256', secret).update(`mail ${text}`).digest('base64url')

  async function countMail(db: Querier, email: string, address: string): Promise<void> {
    if (!isOn) return
    const from = `from ${network(address)}`
    const { rows } = await db.query<{ is_counted: boolean; is_closed: boolean }>({
      name: 'auth-mail-count',
      text: COUNT,
      values: [
        subjectOf(email),
        subjectOf(from),
        subjectOf('all'),
        PAUSE,
        IN_QUARTER,
        perHour === 0 ? Infinity : perHour / 4,
      ],
    })
    if (rows[0]?.is_counted) return
    const seconds = rows[0]?.is_closed ? QUARTER : PAUSE
    throw refusal('over_email_send_rate_limit', { headers: { 'Retry-After': String(seconds) } })
  }
  return { countMail }
}

/** $1 recipient, $2 network, $3 all. Of two at once to one recipient the second finds the first's row. */
const COUNT = `
  with seen as (
    select
      count(*) filter (where subject = $1) as to_recipient,
      count(*) filter (where subject = $1 and at > now() - make_interval(secs => $4)) as just_now,
      count(*) filter (where subject = $2) as of_network,
      coalesce(sum(n) filter (where subject = $3), 0) as of_all
    from auth.attempts where subject in ($1, $2, $3) and at > now() - interval '15 minutes'
  ), judged as (
    select just_now > 0 or to_recipient >= $5 as is_recipient_full,
      of_all >= $6::numeric or (of_all >= $6::numeric / 2 and of_network > 0) as is_closed
    from seen
  ), taken as (
    insert into auth.attempts (subject, at, n)
    select $1, date_bin('10 seconds', now(), 'epoch'), 1 from judged where not is_recipient_full and not is_closed
    on conflict do nothing
    returning 1
  ), counted as (
    insert into auth.attempts (subject, at, n)
    select subject, date_bin('10 seconds', now(), 'epoch'), 1 from unnest(array[$2, $3]) as subject, taken order by subject
    on conflict (subject, at) do update set n = auth.attempts.n + 1
  )
  select exists (select from taken) as is_counted, is_closed from judged`
