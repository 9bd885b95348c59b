import { join } from 'node:path'
import type pg from 'pg'
import type { Logger } from 'pino'
import { type Mailer, startMailer } from './mailer.ts'
import { deleteOldFiles, outboxTransport, smtpTransport } from './transport.ts'

export interface MailSettings {
  smtpUrl: string | undefined
  mailFrom: string | undefined
  dataDir: string
  /** The IP address or host name on which the server listens. */
  host: string
  signUp: string
  emailConfirmation: boolean
}

/**
 * Starts the mailer with the operator's settings. Reports to the product's SQL whether mails are sent by SMTP, who may
 * sign up, whether e-mail addresses must be confirmed, and that this server serves calendar feeds.
 */
export async function openMailer(
  settings: MailSettings,
  { owner, siteUrl, secret, log }: { owner: pg.Pool; siteUrl: string; secret: Buffer; log: Logger },
): Promise<Mailer> {
  const domain = new URL(siteUrl).hostname
  const sender = settings.mailFrom ?? `Banyan CRM <no-reply@${domain}>`
  const mayPrint = isOwnMachine(settings.host, domain) && process.stdout.isTTY && log.level !== 'silent'
  const outbox = join(settings.dataDir, 'outbox')
  // With a mail server, the folder may still get text messages, and it may contain mails from a time without a mail server.
  if (settings.smtpUrl !== undefined) await deleteOldFiles(outbox, log)
  const transport =
    settings.smtpUrl === undefined
      ? outboxTransport(outbox, log, mayPrint ? printLine : null)
      : await smtpTransport(settings.smtpUrl, sender, domain, log)
  await reportSettings(owner, {
    mail: settings.smtpUrl !== undefined,
    sign_up: settings.signUp,
    proves_addresses: settings.emailConfirmation,
    calendar: true,
  })
  return startMailer({ owner, transport, siteUrl, secret, log })
}

async function reportSettings(owner: pg.Pool, settings: Record<string, unknown>): Promise<void> {
  const signature = 'private.on_server_settings(jsonb)'
  const { rows } = await owner.query<{ found: string | null }>('select to_regprocedure($1) as found', [signature])
  if (rows[0]?.found) await owner.query('select private.on_server_settings($1)', [JSON.stringify(settings)])
}

const loopbackHosts = new Set(['127.0.0.1', '::1', '[::1]', 'localhost'])

/**
 * Whether the server is used on this machine only: it listens on a loopback address, and the host of its site URL is a
 * loopback address or localhost. Links are printed only in this case, and only on a terminal, because a file or a pipe would
 * store the links and e-mail addresses.
 */
function isOwnMachine(host: string, domain: string): boolean {
  return loopbackHosts.has(host) && loopbackHosts.has(domain)
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}
