import { createHmac } from 'node:crypto'
import { refusal } from '#server/http/errors.ts'
import { networkOf } from '#server/http/network.ts'
import { countSending } from './send-limits.ts'
import type { Querier } from './users.ts'

export interface MailLimits {
  /**
   * Counts a mail to `email`, whether or not it has an account, that the caller at `address` (IP) requested. Throws 429
   * over_email_send_rate_limit with `Retry-After`.
   */
  countMail(db: Querier, email: string, address: string): Promise<void>
}

/** Interval between two mails to one address. */
const mailIntervalSeconds = 60
/** Limit per address and quarter of an hour, so that an attacker can block somebody's mail for at most that long. */
const mailsPerQuarterHour = 5
/** Retry time when all mails of a quarter of an hour are used. */
const quarterHourSeconds = 900

/**
 * Limits on mails that anybody can request: per recipient, and `perHour` for all, counted per quarter of an hour. Half
 * of each quarter's mails are reserved for networks that have requested none in it, so that one network cannot use all.
 * Counted in auth.attempts, which survives a restart, under keyed hashes. Refused mails are not counted. `isOn` false:
 * no limits; `perHour` 0: no limit for all mails, only per recipient.
 */
export function createMailLimits(isOn: boolean, perHour: number, secret: Buffer): MailLimits {
  const subjectOf = (text: string) => createHmac('sha256', secret).update(`mail ${text}`).digest('base64url')

  async function countMail(db: Querier, email: string, address: string): Promise<void> {
    if (!isOn) return
    const from = subjectOf(`from ${networkOf(address)}`)
    const outcome = await countSending(db, {
      recipient: subjectOf(email),
      askers: [from, from],
      all: subjectOf('all'),
      intervalSeconds: mailIntervalSeconds,
      perQuarterHour: mailsPerQuarterHour,
      perHour,
    })
    if (outcome === 'counted') return
    const seconds = outcome === 'all' ? quarterHourSeconds : mailIntervalSeconds
    throw refusal('over_email_send_rate_limit', { headers: { 'Retry-After': String(seconds) } })
  }
  return { countMail }
}
