import { createHmac } from 'node:crypto'
import { networkOf } from '#server/http/network.ts'
import { countIfAllowed } from '#server/auth/send-limits.ts'
import type { Querier } from '#server/auth/users.ts'
import { tooManyRequests } from './refusals.ts'

export interface FactorLimits {
  /** Counts an attempt to verify a second factor. Throws 429 over_request_rate_limit above the limit. */
  countAttempt(db: Querier, userId: string): Promise<void>
  /** Counts a text message with a code. Throws 429 over_sms_send_rate_limit above the limit. */
  countMessage(db: Querier, message: MessageRequest): Promise<void>
  /** Throws 429 mfa_recovery_codes_locked if the user's recovery codes are locked by wrong codes. */
  refuseLocked(db: Querier, userId: string): Promise<void>
  /** Counts a wrong recovery code. Ten of them in a quarter of an hour lock the user's recovery codes. */
  countWrongRecoveryCode(db: Querier, userId: string): Promise<void>
  /** Removes the lock that `refuseLocked` checks. Call it after new recovery codes were created. */
  clearRecoveryCodeAttempts(db: Querier, userId: string): Promise<void>
}

export interface MessageRequest {
  userId: string
  /**
   * The phone number, if it is not verified: it may belong to another person. Null if the message goes to the user's
   * verified phone.
   */
  unverifiedPhone: string | null
  /** The IP address of the client. */
  ip: string
}

const attemptsPerMinute = 15
/**
 * Maximum number of attempts per user in a quarter of an hour. With the limit per minute alone, an attacker would need only
 * about two weeks to guess one of the three codes that are valid at a time (`totp.ts`).
 */
const attemptsPerQuarterHour = 60
/** Minimum time between two messages to one user. */
const messageIntervalSeconds = 30
const messagesPerQuarterHour = 5
const wrongRecoveryCodesPerQuarterHour = 10

const quarterHourSeconds = 900

/**
 * Creates the limits on second factors. With `isOn` false there are no limits. The counters are in the table auth.attempts. The
 * key of a counter is an HMAC.
 * - Only requests with a session are counted, so a person who cannot sign in cannot block anybody.
 * - No block lasts longer than 15 minutes after the last attempt.
 * - `messagesPerHour` limits text messages, which cost money: to all users together, and at most a quarter of this number in 15
 *   minutes (0: no limit).
 * - Half of the messages of 15 minutes are reserved for users and networks that have requested none in this time.
 * - An unverified phone gets at most five messages in 15 minutes, requested by all users together.
 */
export function createFactorLimits(isOn: boolean, messagesPerHour: number, secret: Buffer): FactorLimits {
  const counterKeyOf = (kind: string, userId: string) =>
    createHmac('sha256', secret).update(`${kind} ${userId}`).digest('base64url')

  async function count(db: Querier, key: string): Promise<void> {
    await db.query({
      name: 'auth-attempts-one',
      text: `insert into auth.attempts (subject, at, n) values ($1, date_bin('10 seconds', now(), 'epoch'), 1)
             on conflict (subject, at) do update set n = auth.attempts.n + 1`,
      values: [key],
    })
  }

  /**
   * Adds one to a counter, and returns its sum of the last 15 minutes. Concurrent requests within the same ten seconds get
   * different sums.
   */
  async function countInQuarterHour(db: Querier, key: string): Promise<number> {
    const { rows } = await db.query<{ ordinal: number }>({
      name: 'auth-attempts-place-in-quarter',
      text: `
        with counted as (
          insert into auth.attempts (subject, at, n) values ($1, date_bin('10 seconds', now(), 'epoch'), 1)
          on conflict (subject, at) do update set n = auth.attempts.n + 1
          returning at, n
        )
        select (c.n + coalesce((select sum(a.n) from auth.attempts a
          where a.subject = $1 and a.at <> c.at and a.at > now() - interval '15 minutes'), 0))::int as ordinal
        from counted c`,
      values: [key],
    })
    return rows[0]?.ordinal ?? 0
  }

  /** Subtracts one from a counter, because the message that was counted is refused. */
  async function uncount(db: Querier, key: string): Promise<void> {
    await db.query({
      name: 'auth-attempts-take-back',
      text: `insert into auth.attempts (subject, at, n) values ($1, date_bin('10 seconds', now(), 'epoch'), -1)
             on conflict (subject, at) do update set n = auth.attempts.n - 1`,
      values: [key],
    })
  }

  /** Returns the sum of a counter over the last `seconds`. */
  async function readCount(db: Querier, key: string, seconds: number): Promise<number> {
    const { rows } = await db.query<{ n: number }>({
      name: 'auth-attempts-within',
      text: `select coalesce(sum(n), 0)::int as n from auth.attempts
             where subject = $1 and at > now() - make_interval(secs => $2)`,
      values: [key, seconds],
    })
    return rows[0]?.n ?? 0
  }

  async function countAttempt(db: Querier, userId: string): Promise<void> {
    if (!isOn) return
    const key = counterKeyOf('factor', userId)
    // An attempt that is refused here is not counted, so that waiting helps even after many attempts.
    if ((await readCount(db, key, quarterHourSeconds)) >= attemptsPerQuarterHour)
      throw tooManyRequests('over_request_rate_limit', quarterHourSeconds)
    if ((await readCount(db, key, 60)) >= attemptsPerMinute) throw tooManyRequests('over_request_rate_limit', 60)
    // The limit per minute is checked again after counting, so that concurrent attempts cannot exceed it.
    await count(db, key)
    if ((await readCount(db, key, 60)) > attemptsPerMinute) throw tooManyRequests('over_request_rate_limit', 60)
  }

  async function countMessage(db: Querier, { userId, unverifiedPhone, ip }: MessageRequest): Promise<void> {
    if (!isOn) return
    const phoneKey = unverifiedPhone && counterKeyOf('message to', unverifiedPhone)
    if (phoneKey && (await countInQuarterHour(db, phoneKey)) > messagesPerQuarterHour) {
      await uncount(db, phoneKey)
      throw tooManyRequests('over_sms_send_rate_limit', quarterHourSeconds)
    }
    const userKey = counterKeyOf('message', userId)
    const outcome = await countIfAllowed(db, {
      recipientKey: userKey,
      senderKeys: [counterKeyOf('message for', userId), counterKeyOf('message from', networkOf(ip))],
      totalKey: counterKeyOf('message', 'all'),
      intervalSeconds: messageIntervalSeconds,
      perQuarterHour: messagesPerQuarterHour,
      perHour: messagesPerHour,
    })
    if (outcome === 'counted') return
    if (phoneKey) await uncount(db, phoneKey)
    const mustWaitQuarterHour =
      outcome === 'total' || (await readCount(db, userKey, quarterHourSeconds)) >= messagesPerQuarterHour
    throw tooManyRequests('over_sms_send_rate_limit', mustWaitQuarterHour ? quarterHourSeconds : messageIntervalSeconds)
  }

  async function refuseLocked(db: Querier, userId: string): Promise<void> {
    if (!isOn) return
    const wrongCodes = await readCount(db, counterKeyOf('recovery', userId), quarterHourSeconds)
    if (wrongCodes >= wrongRecoveryCodesPerQuarterHour)
      throw tooManyRequests('mfa_recovery_codes_locked', quarterHourSeconds)
  }

  async function countWrongRecoveryCode(db: Querier, userId: string): Promise<void> {
    if (isOn) await count(db, counterKeyOf('recovery', userId))
  }

  async function clearRecoveryCodeAttempts(db: Querier, userId: string): Promise<void> {
    await db.query('delete from auth.attempts where subject = $1', [counterKeyOf('recovery', userId)])
  }

  return {
    countAttempt,
    countMessage,
    refuseLocked,
    countWrongRecoveryCode,
    clearRecoveryCodeAttempts,
  }
}
