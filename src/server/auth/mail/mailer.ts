import type pg from 'pg'
import type { Logger } from 'pino'
import { codeOf, link, linkAddress } from './link.ts'
import { createMailQueue, hasOutbox, type MailQueue } from './queue.ts'
import { render } from './render.ts'
import { wordsOf } from './templates.ts'
import { type Outgoing, PermanentFailure, type Transport } from './transport.ts'
import { withoutAddresses } from './without-addresses.ts'

export interface MailerOptions {
  owner: pg.Pool
  transport: Transport
  siteUrl: string
  /** Signs the links; from `Keys`. */
  secret: Buffer
  log: Logger
}

export interface Mailer extends MailQueue {
  /** Waits for mails that are being sent, at most 2 s. */
  stop: () => Promise<void>
}

interface Row {
  id: string
  template: string
  recipient: string
  data: Record<string, unknown>
  attempts: number
}

/** Polling interval of the outbox: SQL writes into it without a notification. */
const pollIntervalMs = 1000
/** Delay before polling after this server has queued a mail, so that the transaction has ended. */
const pollSoonMs = 40
const maxParallelMails = 10
/** Claims of a killed server expire after this time. */
const claimInterval = '5 minutes'
const stopTimeoutMs = 2000

/** Seconds until the next attempt, after each failed one. After the last one the mail is given up. */
const retryDelaysSeconds = [10, 60, 300, 900, 3600, 3 * 3600, 6 * 3600, 12 * 3600]

/**
 * Sends the mails of the outbox. Each mail is sent once, by the server that claims it first; again, with growing
 * delays, if the mail server refuses it temporarily; after a crash, once more with the same message id. A sent mail is
 * deleted from the outbox. Nothing waits for this.
 */
export async function startMailer(options: MailerOptions): Promise<Mailer> {
  const { owner, transport, log } = options
  const isThere = await hasOutbox(owner)
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> | undefined
  const stopping = new AbortController()
  let pollsAt = 0

  function pollIn(milliseconds: number): void {
    if (stopping.signal.aborted || !isThere) return
    const at = Date.now() + milliseconds
    if (timer !== undefined && pollsAt <= at) return
    clearTimeout(timer)
    pollsAt = at
    timer = setTimeout(() => {
      timer = undefined
      working ??= work().finally(() => {
        working = undefined
        pollIn(pollIntervalMs)
      })
    }, milliseconds)
    timer.unref()
  }

  async function work(): Promise<void> {
    try {
      while (!stopping.signal.aborted) {
        const rows = await claim(owner)
        await Promise.all(rows.map((row) => deliver(options, row)))
        if (rows.length < maxParallelMails) return
      }
    } catch (error) {
      log.debug({ err: error }, 'the mail outbox could not be read')
    }
  }

  async function stop(): Promise<void> {
    stopping.abort()
    clearTimeout(timer)
    let timeoutTimer: NodeJS.Timeout | undefined
    const timeout = new Promise<void>((resolve) => {
      timeoutTimer = setTimeout(resolve, stopTimeoutMs)
    })
    await Promise.race([working, timeout])
    clearTimeout(timeoutTimer)
    transport.close()
  }

  if (isThere) await prune(owner)
  pollIn(pollSoonMs)
  return { ...createMailQueue(isThere, () => pollIn(pollSoonMs)), stop }
}

async function claim(owner: pg.Pool): Promise<Row[]> {
  const { rows } = await owner.query<Row>({
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

async function deliver({ owner, transport, siteUrl, secret, log }: MailerOptions, row: Row): Promise<void> {
  const { id, template, recipient, attempts } = row
  try {
    if (template !== 'nothing') await transport.send(compose(row, siteUrl, secret))
    await owner.query('delete from private.mail_outbox where id = $1', [id])
  } catch (error) {
    // Mail servers often name the recipient; the log and the table must not.
    const text = String(error instanceof Error ? error.message : error)
    const reason = withoutAddresses(text.replaceAll(recipient, '…'))
    const pause = retryDelaysSeconds[attempts - 1]
    const isGivenUp = error instanceof PermanentFailure || pause === undefined
    if (isGivenUp) log.error({ mail: id, template, reason }, 'a mail could not be sent, and is given up')
    else log.warn({ mail: id, template, reason, again: pause }, 'a mail could not be sent yet')
    await owner.query(
      `update private.mail_outbox set due_at = now() + make_interval(secs => $2), problem = $3,
         given_up_at = case when $4 then now() end where id = $1`,
      [id, pause ?? 0, reason, isGivenUp],
    )
  }
}

function compose({ id, template, recipient, data }: Row, siteUrl: string, secret: Buffer): Outgoing {
  const own = link.safeParse(data.link)
  const code = codeFor(data.code, secret)
  const address = own.success ? linkAddress(siteUrl, own.data, secret) : undefined
  const words = wordsOf(template, data)
  if (words === null) throw new PermanentFailure('there is no such template, or its words are missing')
  // Without a link of its own, the button opens the sign-in page.
  const target = address ?? (words.button === undefined ? undefined : `${siteUrl}/auth`)
  return { id, template, to: recipient, secret: address ?? code, ...render(words, { address: target, code, siteUrl }) }
}

function codeFor(value: unknown, secret: Buffer): string | undefined {
  return typeof value === 'object' && value !== null && 'id' in value ? codeOf(String(value.id), secret) : undefined
}

/** At the start: deletes mails whose links have expired. */
async function prune(owner: pg.Pool): Promise<void> {
  await owner.query(`delete from private.mail_outbox where given_up_at < now() - interval '30 days'`)
  await owner.query(`delete from auth.one_time_tokens where expires_at < now() - interval '1 day'`)
}
