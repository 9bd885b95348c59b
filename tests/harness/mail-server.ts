import { once } from 'node:events'
import { type AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { type ReceivedMail, readMail } from './read-mail.ts'

/** A real SMTP server on its own port. It stores every accepted mail. */
export interface MailServer {
  /** For `SMTP_URL`. */
  url: string
  /** All received mails, oldest first. */
  mails: readonly ReceivedMail[]
  /**
   * Returns the oldest mail to this e-mail address, with a subject that matches, that `next` has not returned yet. Waits up to 15 s, then rejects
   * with a list of all mails.
   */
  next(to: string, subject?: RegExp): Promise<ReceivedMail>
  /** Refuses every mail with this SMTP error (451: temporary, 550: permanent) until it is set to null. */
  refuseWith: (code: number | null) => void
  stop(): Promise<void>
}

/** Returns an error that contains the recipients in capitals: real mail servers also change the spelling. */
function refusalOf(responseCode: number, recipients: readonly string[]): Error {
  return Object.assign(new Error(`not now: <${recipients.join().toUpperCase()}>`), { responseCode })
}

const timeoutMs = 15_000

/** Starts an SMTP server on a free port. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const returned = new Set<ReceivedMail>()
  let refusalCode: number | null = null
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        if (refusalCode !== null) return callback(refusalOf(refusalCode, recipients))
        mails.push(readMail(Buffer.concat(chunks).toString('utf8'), recipients))
        callback()
      })
    },
  })
  // Ignores broken connections, because a test may break one on purpose.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuseWith: (to) => {
      refusalCode = to
    },
    async next(to, subject = /./) {
      const deadline = Date.now() + timeoutMs
      while (Date.now() < deadline) {
        const nextMail = mails.find((mail) => !returned.has(mail) && mail.to.includes(to) && subject.test(mail.subject))
        if (nextMail) {
          returned.add(nextMail)
          return nextMail
        }
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      const receivedLines = mails.map((mail) => `${mail.to.join(', ')}: ${mail.subject}`)
      throw new Error(`no mail to ${to} with ${subject}; there are:\n${receivedLines.join('\n')}`)
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
