import type pg from 'pg'
import type { Querier } from '#server/auth/users.ts'
import type { StoredLink } from './link.ts'
import type { TemplateName } from './templates.ts'

export interface Mail {
  /**
   * The template of the mail. `nothing` sends no mail. It is used, for example, if the e-mail address has no account: the
   * request then does the same work, and its duration does not reveal whether the account exists.
   */
  template: TemplateName | 'nothing'
  recipient: string
  /** What the mail is composed of: its link, the id of its code, and the data of its template. */
  data?: { link?: StoredLink; code?: { id: string }; [member: string]: unknown }
}

export interface MailQueue {
  /** Adds a mail to the outbox. Call it inside the transaction of the change: the mail is sent only after the commit. */
  queue: (db: Querier, mail: Mail) => Promise<void>
}

/**
 * Returns whether the product's SQL has an outbox. A server without the product's SQL has no outbox and sends no mail.
 */
export async function hasOutbox(owner: pg.Pool): Promise<boolean> {
  const { rows } = await owner.query<{ found: string | null }>(`select to_regclass('private.mail_outbox') as found`)
  return rows[0]?.found != null
}

/** Creates the queue. `onQueued` is called for each mail, before the transaction ends. Without an outbox, `queue` does nothing. */
export function createMailQueue(outboxExists: boolean, onQueued: () => void): MailQueue {
  async function queue(db: Querier, { template, recipient, data }: Mail): Promise<void> {
    if (!outboxExists) return
    await db.query({
      name: 'mail-queue',
      text: 'insert into private.mail_outbox (template, recipient, data) values ($1, $2, $3)',
      values: [template, recipient, JSON.stringify(data ?? {})],
    })
    onQueued()
  }
  return { queue }
}
