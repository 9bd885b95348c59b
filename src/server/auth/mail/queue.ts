import type pg from 'pg'
import type { Querier } from '#server/auth/users.ts'
import type { Link } from './link.ts'
import type { TemplateName } from './templates.ts'

export interface Mail {
  /** `nothing`: sends no mail; does the same work for an address without an account. */
  template: TemplateName | 'nothing'
  recipient: string
  data?: { link?: Link; code?: { id: string }; [member: string]: unknown }
}

export interface MailQueue {
  /** Adds a mail to the outbox. Call it inside the transaction of the change: the mail is sent after the commit. */
  queue: (db: Querier, mail: Mail) => Promise<void>
}

/** Whether the product's SQL has an outbox. Without it (the server alone) no mail is written. */
export async function hasOutbox(owner: pg.Pool): Promise<boolean> {
  const { rows } = await owner.query<{ found: string | null }>(`select to_regclass('private.mail_outbox') as found`)
  return rows[0]?.found != null
}

/** `onQueued` is called for each mail, before its transaction ends. */
export function createMailQueue(isThere: boolean, onQueued: () => void): MailQueue {
  async function queue(db: Querier, { template, recipient, data }: Mail): Promise<void> {
    if (!isThere) return
    await db.query({
      name: 'mail-queue',
      text: 'insert into private.mail_outbox (template, recipient, data) values ($1, $2, $3)',
      values: [template, recipient, JSON.stringify(data ?? {})],
    })
    onQueued()
  }
  return { queue }
}
