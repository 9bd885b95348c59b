import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Rendered } from './render.ts'
import { withoutAddresses } from './without-addresses.ts'

export interface Outgoing extends Rendered {
  /** The same at every attempt. */
  id: string
  template: string
  to: string
  /** The link or the code, which an operator without a mail server needs. */
  secret: string | undefined
}

/** How mails are sent. */
export interface Transport {
  /** Rejects with PermanentFailure if another attempt is useless. */
  send: (mail: Outgoing) => Promise<void>
  close: () => void
}

/** The mail server will never accept this mail. */
export class PermanentFailure extends Error {
  override name = 'PermanentFailure'
}

/** Timeout of a mail server. */
const smtpTimeoutMs = 15_000

/** Sends by SMTP. `from` is the sender, `domain` is used in the message id. */
export async function smtpTransport(url: string, from: string, domain: string, log: Logger): Promise<Transport> {
  // Imported only here: without mail it would cost memory and start time.
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
    .catch((error: Error) => log.warn({ reason: withoutAddresses(error.message) }, 'the mail server cannot be used'))

  async function send({ id, to, subject, text, html }: Outgoing): Promise<void> {
    try {
      await transporter.sendMail({
        from,
        // An object, so that an address with a comma stays one recipient.
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

/** A 5xx about this mail is permanent. One about our login is not: the operator must fix it, and the mail waits. */
function isPermanent(error: unknown): boolean {
  const { responseCode = 0, code } = error as { responseCode?: number; code?: string }
  return responseCode >= 500 && code !== 'EAUTH' && responseCode !== 530 && responseCode !== 535
}

/** Older files are deleted at the start, because they contain links. */
const outboxLifeMs = 30 * 24 * 3600 * 1000

/**
 * Writes mails into a folder, for an installation without a mail server: `<time>-<id>-<template>.txt` and `.html`; the
 * text file is written last. `print` gets the link if the operator sits at a terminal of this machine; the log never
 * does.
 */
export function outboxFolder(folder: string, log: Logger, print: ((line: string) => void) | null): Transport {
  const ready = prepare(folder).catch((error: unknown) => log.warn({ err: error }, 'the outbox folder'))

  async function send({ id, template, to, subject, text, html, secret }: Outgoing): Promise<void> {
    await ready
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const stamp = new Date().toISOString().replaceAll(/[-:]/g, '').replace(/\..*/, '')
    const path = join(folder, `${stamp}-${id}-${template.replaceAll(/\W/g, '-')}`)
    await writeWhole(`${path}.html`, html)
    await writeWhole(`${path}.txt`, `To: ${to}\nSubject: ${subject}\n\n${text}`)
    log.info({ template, file: `${path}.txt` }, 'SMTP_URL is not set: a mail was written to the outbox folder')
    if (print && secret !== undefined) print(`Mail to ${to} (${subject}): ${secret}`)
  }
  return { send, close: () => {} }
}

async function prepare(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path)
    if (/^\d{8}T.*\.(txt|html)$/.test(name) && mtimeMs < Date.now() - outboxLifeMs) await rm(path, { force: true })
  }
}

async function writeWhole(path: string, content: string): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}`
  await writeFile(draft, content, { mode: 0o600 })
  await rename(draft, path)
}
