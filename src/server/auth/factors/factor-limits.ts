import { createHmac } from 'node:crypto'
import { networkOf } from '#server/http/network.ts'
import { countSending } from '#server/auth/send-limits.ts'
import type { Querier } from '#server/auth/users.ts'
import { tooMany } from './refusals.ts'

export interface FactorLimits {
  /** Counts an attempt to verify a factor. Throws 429 over_request_rate_limit. */
  countAttempt(db: Querier, userId: string): Promise<void>
  /** Counts a text message with a code. Throws 429 over_sms_send_rate_limit. */
  countMessage(db: Querier, message: MessageRequest): Promise<void>
  /** Throws 429 mfa_recovery_codes_locked after too many wrong recovery codes. */
  refuseLocked(db: Querier, userId: string): Promise<void>
  countWrongRecoveryCode(db: Querier, userId: string): Promise<void>
  /** Removes the lock after new recovery codes were created. */
  clearRecoveryCodeAttempts(db: Querier, userId: string): Promise<void>
}

export interface MessageRequest {
  userId: string
  /** A phone that is not verified and may belong to somebody else; null for the user's verified phone. */
  unverifiedPhone: string | null
  /** The IP address of the request. */
  address: string
}

const attemptsPerMinute = 15
/**
 * Attempts at the rate per minute would hit one of the three valid codes within days. Hence a second limit per quarter
 * of an hour.
 */
const attemptsPerQuarterHour = 60
/** Interval between two messages to one user. */
const messageIntervalSeconds = 30
const messagesPerQuarterHour = 5
const wrongRecoveryCodesPerQuarterHour = 10

const quarterHourSeconds = 900

/**
 * Limits on second factors, counted in auth.attempts under keyed hashes. Only somebody with the password gets this far.
 * No block lasts longer than 15 minutes after the last attempt. Text messages cost money: `messagesPerHour` for all
 * users together (0: none), counted per quarter of an hour, with half of each reserved for networks and users that have
 * requested none in it. An unverified phone gets at most five per quarter of an hour, from all users.
 */
export function createFactorLimits(isOn: boolean, messagesPerHour: number, secret: Buffer): FactorLimits {
  const subjectOf = (kind: string, userId: string) =>
    createHmac('sha256', secret).update(`${kind} ${userId}`).digest('base64url')

  /** Counts first and checks then, so that concurrent attempts cannot exceed the limit. */
  async function count(db: Querier, subject: string): Promise<void> {
    await db.query({
      name: 'auth-attempts-one',
      text: `insert into auth.attempts (subject, at, n) values ($1, date_bin('10 seconds', now(), 'epoch'), 1)
             on conflict (subject, at) do update set n = auth.attempts.n + 1`,
      values: [subject],
    })
  }

  /** Counts one and returns its number in this quarter of an hour. Concurrent requests get different numbers. */
  async function numberInQuarterHour(db: Querier, subject: string): Promise<number> {
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

  /** Removes the count of a refused attempt. */
  async function uncount(db: Querier, subject: string): Promise<void> {
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

  async function countAttempt(db: Querier, userId: string): Promise<void> {
    if (!isOn) return
    const subject = subjectOf('factor', userId)
    // A refused attempt is not counted, so that waiting helps even after many attempts.
    if ((await numberWithin(db, subject, quarterHourSeconds)) >= attemptsPerQuarterHour)
      throw tooMany('over_request_rate_limit', quarterHourSeconds)
    if ((await numberWithin(db, subject, 60)) >= attemptsPerMinute) throw tooMany('over_request_rate_limit', 60)
    await count(db, subject)
    if ((await numberWithin(db, subject, 60)) > attemptsPerMinute) throw tooMany('over_request_rate_limit', 60)
  }

  async function countMessage(db: Querier, { userId, unverifiedPhone, address }: MessageRequest): Promise<void> {
    if (!isOn) return
    const to = unverifiedPhone && subjectOf('message to', unverifiedPhone)
    if (to && (await numberInQuarterHour(db, to)) > messagesPerQuarterHour) {
      await uncount(db, to)
      throw tooMany('over_sms_send_rate_limit', quarterHourSeconds)
    }
    const user = subjectOf('message', userId)
    const outcome = await countSending(db, {
      recipient: user,
      askers: [subjectOf('message for', userId), subjectOf('message from', networkOf(address))],
      all: subjectOf('message', 'all'),
      intervalSeconds: messageIntervalSeconds,
      perQuarterHour: messagesPerQuarterHour,
      perHour: messagesPerHour,
    })
    if (outcome === 'counted') return
    if (to) await uncount(db, to)
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

  async function clearRecoveryCodeAttempts(db: Querier, userId: string): Promise<void> {
    await db.query('delete from auth.attempts where subject = $1', [subjectOf('recovery', userId)])
  }

  return {
    countAttempt,
    countMessage,
    refuseLocked,
    countWrongRecoveryCode,
    clearRecoveryCodeAttempts,
  }
}
