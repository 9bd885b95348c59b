import type pg from 'pg'
import type { Logger } from 'pino'
import { codeFromId, linkUrl, storedLinkSchema } from './link.ts'
import { createMailQueue, hasOutbox, type MailQueue } from './queue.ts'
import { render } from './render.ts'
import { wordsOf } from './templates.ts'
import { type OutgoingMail, PermanentFailure, type Transport } from './transport.ts'
import { withoutAddresses } from './without-addresses.ts'

export interface MailerOptions {
  owner: pg.Pool
  transport: Transport
  siteUrl: string
  /** The installation's secret, which signs the links (`Keys.refreshSecret`). */
  secret: Buffer
  log: Logger
}

export interface Mailer extends MailQueue {
  /** Stops the mailer. Waits at most 2 s for mails that are being sent. */
  stop: () => Promise<void>
}

interface OutboxRow {
  id: string
  template: string
  recipient: string
  data: Record<string, unknown>
  attempts: number
}

/**
 * Interval at which the server looks for new mails in the outbox. SQL functions write into the outbox without notifying
 * this server.
 */
const pollIntervalMs = 1000
/**
 * Time from queuing a mail until the server reads the outbox. By then the transaction of the mail has usually ended.
 */
const pollSoonMs = 40
const maxParallelMails = 10
/** Time after which another server may claim a mail that a killed server has claimed. */
const claimInterval = '5 minutes'
const stopTimeoutMs = 2000

/**
 * Delays before the next attempt to send a mail, after the first, second, … failed attempt. If the attempt after the
 * last delay fails too, the mail is given up.
 */
const retryDelaysSeconds = [10, 60, 300, 900, 3600, 3 * 3600, 6 * 3600, 12 * 3600]

/**
 * Starts the mailer, which sends the mails of the outbox in the background. One server claims each mail, sends it, and
 * deletes it from the outbox. If sending fails, the mail is sent again with growing delays, unless the failure is
 * permanent. After a crash a mail may be sent twice, with the same message id. Without an outbox, the mailer does nothing.
 */
export async function startMailer(options: MailerOptions): Promise<Mailer> {
  const { owner, transport, log } = options
  const outboxExists = await hasOutbox(owner)
  let timer: NodeJS.Timeout | undefined
  let currentWork: Promise<void> | undefined
  const stopController = new AbortController()
  let nextPollAt = 0

  function pollIn(milliseconds: number): void {
    if (stopController.signal.aborted || !outboxExists) return
    const pollAt = Date.now() + milliseconds
    if (timer !== undefined && nextPollAt <= pollAt) return
    clearTimeout(timer)
    nextPollAt = pollAt
    timer = setTimeout(() => {
      timer = undefined
      currentWork ??= sendDueMails().finally(() => {
        currentWork = undefined
        pollIn(pollIntervalMs)
      })
    }, milliseconds)
    timer.unref()
  }

  async function sendDueMails(): Promise<void> {
    try {
      while (!stopController.signal.aborted) {
        const rows = await claimMails(owner)
        await Promise.all(rows.map((row) => deliver(options, row)))
        if (rows.length < maxParallelMails) return
      }
    } catch (error) {
      log.debug({ err: error }, 'the mail outbox could not be read')
    }
  }

  async function stop(): Promise<void> {
    stopController.abort()
    clearTimeout(timer)
    let timeoutTimer: NodeJS.Timeout | undefined
    const timeout = new Promise<void>((resolve) => {
      timeoutTimer = setTimeout(resolve, stopTimeoutMs)
    })
    await Promise.race([currentWork, timeout])
    clearTimeout(timeoutTimer)
    transport.close()
  }

  if (outboxExists) await prune(owner)
  pollIn(pollSoonMs)
  return { ...createMailQueue(outboxExists, () => pollIn(pollSoonMs)), stop }
}

async function claimMails(owner: pg.Pool): Promise<OutboxRow[]> {
  const { rows } = await owner.query<OutboxRow>({
    name: 'mail-claim',
    text: `
      update private.mail_outbox set attempts = attempts + 1, due_at = now() + interval '${claimInterval}'
      where id in (
        select id from private.mail_outbox where due_at <= now() and given_up_at is null
        order by due_at limit ${maxParallelMails} for update skip locked)
      returning id, template, recipient, data, attempts`,
  })
  return rows
}

async function deliver({ owner, transport, siteUrl, secret, log }: MailerOptions, row: OutboxRow): Promise<void> {
  const { id, template, recipient, attempts } = row
  try {
    if (template !== 'nothing') await transport.send(compose(row, siteUrl, secret))
    await owner.query('delete from private.mail_outbox where id = $1', [id])
  } catch (error) {
    // Mail servers often name the recipient in their messages. The log and the outbox must not contain the address.
    const message = String(error instanceof Error ? error.message : error)
    const reason = withoutAddresses(recipient === '' ? message : message.replaceAll(recipient, '…'))
    const retrySeconds = retryDelaysSeconds[attempts - 1]
    const isGivenUp = error instanceof PermanentFailure || retrySeconds === undefined
    if (isGivenUp) log.error({ mail: id, template, reason }, 'a mail could not be sent, and is given up')
    else log.warn({ mail: id, template, reason, retrySeconds }, 'a mail could not be sent: it will be sent again')
    await owner.query(
      `update private.mail_outbox set due_at = now() + make_interval(secs => $2), problem = $3,
         given_up_at = case when $4 then now() end where id = $1`,
      [id, retrySeconds ?? 0, reason, isGivenUp],
    )
  }
}

function compose({ id, template, recipient, data }: OutboxRow, siteUrl: string, secret: Buffer): OutgoingMail {
  const link = storedLinkSchema.safeParse(data.link)
  const code = codeFor(data.code, secret)
  const url = link.success ? linkUrl(siteUrl, link.data, secret) : undefined
  const words = wordsOf(template, data)
  if (words === null) throw new PermanentFailure('the template does not exist, or its words are missing')
  // The button of a mail without a link opens the sign-in page.
  const buttonUrl = url ?? (words.button === undefined ? undefined : `${siteUrl}/auth`)
  return { id, template, to: recipient, secret: url ?? code, ...render(words, { url: buttonUrl, code, siteUrl }) }
}

function codeFor(value: unknown, secret: Buffer): string | undefined {
  return typeof value === 'object' && value !== null && 'id' in value ? codeFromId(String(value.id), secret) : undefined
}

/** Called at the start: deletes mails that were given up more than 30 days ago, and tokens that expired more than one day ago. */
async function prune(owner: pg.Pool): Promise<void> {
  await owner.query(`delete from private.mail_outbox where given_up_at < now() - interval '30 days'`)
  await owner.query(`delete from auth.one_time_tokens where expires_at < now() - interval '1 day'`)
}
