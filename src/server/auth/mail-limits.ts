import { createHmac } from 'node:crypto'
import { refusal } from '#server/http/errors.ts'
import { networkOf } from '#server/http/network.ts'
import { countSending } from './send-limits.ts'
import type { Querier } from './users.ts'

export interface MailLimits {
  /**
   * Counts a mail to `email`, whether or not anybody has it, that `address` (IP) asked for. Throws 429
   * over_email_send_rate_limit with `Retry-After`.
   */
  countMail(db: Querier, email: string, address: string): Promise<void>
}

/** Seconds between two mails to one address. */
const mailIntervalSeconds = 60
/** And at most as many in a quarter of an hour: nobody can keep somebody from their mail for longer than that. */
const mailsPerQuarterHour = 5
/** How long to wait where all mail of a quarter of an hour is gone. Seconds. */
const quarterHourSeconds = 900

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
    const from = subjectOf(`from ${networkOf(address)}`)
    const outcome = await countSending(db, {
      recipient: subjectOf(email),
      askers: [from, from],
      all: subjectOf('all'),
      pause: mailIntervalSeconds,
      inQuarter: mailsPerQuarterHour,
      perHour,
    })
    if (outcome === 'counted') return
    const seconds = outcome === 'all' ? quarterHourSeconds : mailIntervalSeconds
    throw refusal('over_email_send_rate_limit', { headers: { 'Retry-After': String(seconds) } })
  }
  return { countMail }
}
