import { createHmac } from 'node:crypto'
import { refusal } from '#server/http/errors.ts'
import type { Querier } from './users.ts'

export interface MailLimits {
  /** Counts a mail to this address, whether or not anybody has it. Throws 429 over_email_send_rate_limit. */
  countMail(db: Querier, email: string): Promise<void>
}

/** Seconds between two mails to one address. */
const PAUSE = 60
/** And at most as many in a quarter of an hour: nobody can keep somebody from their mail for longer than that. */
const IN_QUARTER = 5

/**
 * Limits on the mail that anybody can have sent to an address: counted in auth.attempts, so that they outlive a restart,
 * under a keyed hash. Only mail that goes is counted.
 */
export function createMailLimits(isOn: boolean, secret: Buffer): MailLimits {
  async function countMail(db: Querier, email: string): Promise<void> {
    if (!isOn) return
    const subject = createHmac('sha256', secret).update(`mail ${email}`).digest('base64url')
    const { rowCount } = await db.query({
      name: 'auth-mail-count',
      // Of two at once the second finds the first's row.
      text: `
        insert into auth.attempts (subject, at, n)
        select $1, date_bin('10 seconds', now(), 'epoch'), 1
        where not exists (select from auth.attempts where subject = $1 and at > now() - make_interval(secs => $2))
          and (select count(*) from auth.attempts where subject = $1 and at > now() - interval '15 minutes') < $3
        on conflict do nothing`,
      values: [subject, PAUSE, IN_QUARTER],
    })
    if (!rowCount) throw refusal('over_email_send_rate_limit', { headers: { 'Retry-After': String(PAUSE) } })
  }
  return { countMail }
}
