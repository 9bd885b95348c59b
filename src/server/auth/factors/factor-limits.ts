import { createHmac } from 'node:crypto'
import { networkOf } from '#server/http/network.ts'
import { countSending } from '#server/auth/send-limits.ts'
import type { Querier } from '#server/auth/users.ts'
import { tooMany } from './refusals.ts'

export interface FactorLimits {
  /** Counts a try to prove a factor. Throws 429 over_request_rate_limit. */
  countTry(db: Querier, userId: string): Promise<void>
  /** Counts a message with a code. Throws 429 over_sms_send_rate_limit. */
  countMessage(db: Querier, message: AskedMessage): Promise<void>
  /** Throws 429 mfa_recovery_codes_locked after too many wrong recovery codes. */
  refuseLocked(db: Querier, userId: string): Promise<void>
  countWrongRecoveryCode(db: Querier, userId: string): Promise<void>
  /** New recovery codes open the lock. */
  forgetRecoveryCodes(db: Querier, userId: string): Promise<void>
}

export interface AskedMessage {
  userId: string
  /** A phone that nobody has proved yet, which may be a stranger's; null where it is the user's own. */
  unprovedPhone: string | null
  /** Of whoever asks (IP). */
  address: string
}

const attemptsPerMinute = 15
/** A guesser who goes on at that rate would hit one of the three good codes within days; so, over a quarter of an hour: */
const attemptsPerQuarterHour = 60
/** Seconds between two messages for one user. */
const messageIntervalSeconds = 30
const messagesPerQuarterHour = 5
const wrongRecoveryCodesPerQuarterHour = 10

const quarterHourSeconds = 900

/**
 * Limits on second factors, counted in auth.attempts under keyed hashes. Only somebody who has the password gets this far;
 * no block lasts longer than a quarter of an hour after the last try. Messages cost money: `messagesPerHour` for everybody
 * together (0: none), by quarters of an hour, half of each kept for networks and users that have asked for none in it; a phone that is not proved gets
 * five in a quarter, whoever asks.
 */
export function createFactorLimits(isOn: boolean, messagesPerHour: number, secret: Buffer): FactorLimits {
  const subjectOf = (kind: string, userId: string) =>
    createHmac('sha256', secret).update(`${kind} ${userId}`).digest('base64url')

  /** Counts first and looks then: of many at once, no more pass than may. */
  async function count(db: Querier, subject: string): Promise<void> {
    await db.query({
      name: 'auth-attempts-one',
      text: `insert into auth.attempts (subject, at, n) values ($1, date_bin('10 seconds', now(), 'epoch'), 1)
             on conflict (subject, at) do update set n = auth.attempts.n + 1`,
      values: [subject],
    })
  }

  /** Counts one and answers which it is of this quarter of an hour: of many at once each has its own place. */
  async function placeInQuarter(db: Querier, subject: string): Promise<number> {
    const { rows } = await db.query<{ place: number }>({
      name: 'auth-attempts-place-in-quarter',
      text: `
        with counted as (
          insert into auth.attempts (subject, at, n) values ($1, date_bin('10 seconds', now(), 'epoch'), 1)
          on conflict (subject, at) do update set n = auth.attempts.n + 1
          returning at, n
        )
        select (c.n + coalesce((select sum(a.n) from auth.attempts a
          where a.subject = $1 and a.at <> c.at and a.at > now() - interval '15 minutes'), 0))::int as place
        from counted c`,
      values: [subject],
    })
    return rows[0]?.place ?? 0
  }

  /** What is refused is not counted. */
  async function takeBack(db: Querier, subject: string): Promise<void> {
    await db.query({
      name: 'auth-attempts-take-back',
      text: `insert into auth.attempts (subject, at, n) values ($1, date_bin('10 seconds', now(), 'epoch'), -1)
             on conflict (subject, at) do update set n = auth.attempts.n - 1`,
      values: [subject],
    })
  }

  async function numberWithin(db: Querier, subject: string, seconds: number): Promise<number> {
    const { rows } = await db.query<{ n: number }>({
      name: 'auth-attempts-within',
      text: `select coalesce(sum(n), 0)::int as n from auth.attempts
             where subject = $1 and at > now() - make_interval(secs => $2)`,
      values: [subject, seconds],
    })
    return rows[0]?.n ?? 0
  }

  async function countTry(db: Querier, userId: string): Promise<void> {
    if (!isOn) return
    const subject = subjectOf('factor', userId)
    // What is refused here is not counted: waiting helps, whoever goes on trying.
    if ((await numberWithin(db, subject, quarterHourSeconds)) >= attemptsPerQuarterHour)
      throw tooMany('over_request_rate_limit', quarterHourSeconds)
    if ((await numberWithin(db, subject, 60)) >= attemptsPerMinute) throw tooMany('over_request_rate_limit', 60)
    await count(db, subject)
    if ((await numberWithin(db, subject, 60)) > attemptsPerMinute) throw tooMany('over_request_rate_limit', 60)
  }

  async function countMessage(db: Querier, { userId, unprovedPhone, address }: AskedMessage): Promise<void> {
    if (!isOn) return
    const to = unprovedPhone && subjectOf('message to', unprovedPhone)
    if (to && (await placeInQuarter(db, to)) > messagesPerQuarterHour) {
      await takeBack(db, to)
      throw tooMany('over_sms_send_rate_limit', quarterHourSeconds)
    }
    const user = subjectOf('message', userId)
    const outcome = await countSending(db, {
      recipient: user,
      askers: [subjectOf('message for', userId), subjectOf('message from', networkOf(address))],
      all: subjectOf('message', 'all'),
      pause: messageIntervalSeconds,
      inQuarter: messagesPerQuarterHour,
      perHour: messagesPerHour,
    })
    if (outcome === 'counted') return
    if (to) await takeBack(db, to)
    const isOver = outcome === 'all' || (await numberWithin(db, user, quarterHourSeconds)) >= messagesPerQuarterHour
    throw tooMany('over_sms_send_rate_limit', isOver ? quarterHourSeconds : messageIntervalSeconds)
  }

  async function refuseLocked(db: Querier, userId: string): Promise<void> {
    if (!isOn) return
    const wrong = await numberWithin(db, subjectOf('recovery', userId), quarterHourSeconds)
    if (wrong >= wrongRecoveryCodesPerQuarterHour) throw tooMany('mfa_recovery_codes_locked', quarterHourSeconds)
  }

  async function countWrongRecoveryCode(db: Querier, userId: string): Promise<void> {
    if (isOn) await count(db, subjectOf('recovery', userId))
  }

  async function forgetRecoveryCodes(db: Querier, userId: string): Promise<void> {
    await db.query('delete from auth.attempts where subject = $1', [subjectOf('recovery', userId)])
  }

  return { countTry, countMessage, refuseLocked, countWrongRecoveryCode, forgetRecoveryCodes }
}
