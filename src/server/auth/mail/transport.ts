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
  /** The link or the code, as an operator without a mail server needs it. */
  secret: string | undefined
}

/** How mail leaves. */
export interface Transport {
  /** Rejects with PermanentFailure where another attempt is of no use. */
  send: (mail: Outgoing) => Promise<void>
  close: () => void
}

/** The mail server will never take this mail. */
export class PermanentFailure extends Error {
  override name = 'PermanentFailure'
}

/** Milliseconds until a mail server that does not answer counts as away. */
const smtpTimeoutMs = 15_000

/** Over SMTP. `from` is the sender, `domain` stands in the message's id. */
export async function smtpTransport(url: string, from: string, domain: string, log: Logger): Promise<Transport> {
  // Only here: whoever sends no mail needs neither its memory nor its time at the start.
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
        // An object, so that nothing in an address makes two of it.
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

/** A 5xx about this mail; one about our own login is the operator's to mend, and the mail waits for it. */
function isPermanent(error: unknown): boolean {
  const { responseCode = 0, code } = error as { responseCode?: number; code?: string }
  return responseCode >= 500 && code !== 'EAUTH' && responseCode !== 530 && responseCode !== 535
}

/** Files older than this are taken away at the start: they hold links. Milliseconds. */
const outboxLifeMs = 30 * 24 * 3600 * 1000

/**
 * Into a folder, for whoever has no mail server: `<time>-<id>-<template>.txt` and the same as `.html`, the text last.
 * `print` hears the link where somebody sits at a terminal of this very machine; the log never does.
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
