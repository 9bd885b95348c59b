import { createHmac } from 'node:crypto'
import { refusal } from '#server/http/errors.ts'
import { networkOf } from '#server/http/network.ts'
import { countIfAllowed } from './send-limits.ts'
import type { Querier } from './users.ts'

export interface MailLimits {
  /**
   * Counts a mail to `email` that the client at `ip` requested, even if the e-mail address has no account. Above a limit,
   * throws 429 over_email_send_rate_limit with `Retry-After`.
   */
  countMail(db: Querier, email: string, ip: string): Promise<void>
}

/** Minimum time between two mails to one e-mail address. */
const mailIntervalSeconds = 60
/**
 * Maximum number of mails per e-mail address and quarter of an hour. An attacker who requests this number of mails blocks mails
 * to another person, but at most until 15 minutes after the last of them.
 */
const mailsPerQuarterHour = 5
/** The value of `Retry-After` when the limit of all recipients together is reached (seconds). */
const quarterHourSeconds = 900

/**
 * Creates the limits on mails that anybody can request. With `isOn` false there are no limits. The counters are in the table
 * auth.attempts and survive a restart. The key of a counter is an HMAC. Refused mails are not counted.
 * - Per recipient: `mailIntervalSeconds` and `mailsPerQuarterHour`.
 * - To all recipients together: `perHour` mails, and at most a quarter of this number in 15 minutes (0: no limit).
 * - Half of the mails of 15 minutes are reserved for networks that have requested none in this time, so that one network cannot
 *   use all.
 */
export function createMailLimits(isOn: boolean, perHour: number, secret: Buffer): MailLimits {
  const counterKeyOf = (text: string) => createHmac('sha256', secret).update(`mail ${text}`).digest('base64url')

  async function countMail(db: Querier, email: string, ip: string): Promise<void> {
    if (!isOn) return
    const senderKey = counterKeyOf(`from ${networkOf(ip)}`)
    const outcome = await countIfAllowed(db, {
      recipientKey: counterKeyOf(email),
      senderKeys: [senderKey, senderKey],
      totalKey: counterKeyOf('all'),
      intervalSeconds: mailIntervalSeconds,
      perQuarterHour: mailsPerQuarterHour,
      perHour,
    })
    if (outcome === 'counted') return
    const seconds = outcome === 'total' ? quarterHourSeconds : mailIntervalSeconds
    throw refusal('over_email_send_rate_limit', { headers: { 'Retry-After': String(seconds) } })
  }
  return { countMail }
}
