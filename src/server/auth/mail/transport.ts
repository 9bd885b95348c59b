import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { RenderedMail } from './render.ts'
import { withoutAddresses } from './without-addresses.ts'

export interface OutgoingMail extends RenderedMail {
  /** The id of the mail, the same at every attempt. */
  id: string
  template: string
  to: string
  /** The URL of the mail's link, or its code. Undefined if it has neither. Printed if there is no mail server, so that the operator can use it. */
  secret: string | undefined
}

/** Sends mails. */
export interface Transport {
  /**
   * Sends one mail. Rejects with PermanentFailure if another attempt is useless. After any other error, the mail can be sent
   * again.
   */
  send: (mail: OutgoingMail) => Promise<void>
  close: () => void
}

/** Another attempt to send this mail is useless, for example because the mail server will never accept it. */
export class PermanentFailure extends Error {
  override name = 'PermanentFailure'
}

/** Timeout of a mail server: for the connection, for its greeting, and for later inactivity (ms). */
const smtpTimeoutMs = 15_000

/** Creates the transport that sends by SMTP. `from` is the sender; `domain` becomes part of the message id. */
export async function smtpTransport(url: string, from: string, domain: string, log: Logger): Promise<Transport> {
  // Imported only here, so that a server without mail needs less memory and starts sooner.
  const { default: nodemailer } = await import('nodemailer')
  const transporter = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: smtpTimeoutMs,
    greetingTimeout: smtpTimeoutMs,
    socketTimeout: smtpTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  transporter
    .verify()
    .catch((error: Error) =>
      log.warn({ reason: withoutAddresses(error.message) }, 'the mail server cannot be used: check SMTP_URL'),
    )

  async function send({ id, to, subject, text, html }: OutgoingMail): Promise<void> {
    try {
      await transporter.sendMail({
        from,
        // An object instead of a text, so that an e-mail address with a comma stays one recipient.
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId: `<${id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    } catch (error) {
      throw isPermanent(error) ? new PermanentFailure((error as Error).message) : error
    }
  }
  return { send, close: () => transporter.close() }
}

/**
 * Whether the error is permanent, because the mail server responded to this mail with a 5xx status. A 5xx status about the
 * login is not permanent, because the operator can correct SMTP_URL.
 */
function isPermanent(error: unknown): boolean {
  const { responseCode = 0, code } = error as { responseCode?: number; code?: string }
  return responseCode >= 500 && code !== 'EAUTH' && responseCode !== 530 && responseCode !== 535
}

/** Age at which files in the outbox folder are deleted at the start, because they contain links (ms). */
const outboxLifeMs = 30 * 24 * 3600 * 1000

/**
 * Creates the transport that writes mails into a folder, for an installation without a mail server. The files are
 * `<time>-<id>-<template>.txt` and `.html`; the text file is written last. `print` gets the link or the code, for an
 * operator at a terminal (null: nothing is printed); the log never gets it.
 */
export function outboxTransport(folder: string, log: Logger, print: ((line: string) => void) | null): Transport {
  const oldFilesDeleted = deleteOldFiles(folder, log)

  async function send({ id, template, to, subject, text, html, secret }: OutgoingMail): Promise<void> {
    await oldFilesDeleted
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const timestamp = new Date().toISOString().replaceAll(/[-:]/g, '').replace(/\..*/, '')
    const path = join(folder, `${timestamp}-${id}-${template.replaceAll(/\W/g, '-')}`)
    await writeAtomically(`${path}.html`, html)
    await writeAtomically(`${path}.txt`, `To: ${to}\nSubject: ${subject}\n\n${text}`)
    log.info({ template, file: `${path}.txt` }, 'SMTP_URL is not set: a mail was written to the outbox folder')
    if (print && secret !== undefined) print(`Mail to ${to} (${subject}): ${secret}`)
  }
  return { send, close: () => {} }
}

/**
 * Deletes the mails and text messages in the outbox folder that are older than `outboxLifeMs`. Creates the folder if it does not
 * exist. An error is only logged.
 */
export async function deleteOldFiles(folder: string, log: Logger): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const name of await readdir(folder)) {
      const path = join(folder, name)
      const { mtimeMs } = await stat(path)
      if (/^\d{8}T.*\.(txt|html)$/.test(name) && mtimeMs < Date.now() - outboxLifeMs) await rm(path, { force: true })
    }
  } catch (error) {
    log.warn({ err: error }, 'old files in the outbox folder could not be deleted')
  }
}

async function writeAtomically(path: string, content: string): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}`
  await writeFile(draft, content, { mode: 0o600 })
  await rename(draft, path)
}
