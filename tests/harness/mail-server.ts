import { once } from 'node:events'
import { type AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { type ReceivedMail, readMail } from './read-mail.ts'

/** A real SMTP server on a port of its own; every mail that it takes is kept. */
export interface MailServer {
  /** For `SMTP_URL`. */
  url: string
  /** Everything that came, oldest first. */
  mails: readonly ReceivedMail[]
  /** The next mail to this address that `next` has not given out yet; waits up to 15 s, then rejects with what else came. */
  next(to: string, subject?: RegExp): Promise<ReceivedMail>
  /** Answers every mail with this SMTP error (451: try again later, 550: never) until it is null again. */
  refuseWith: (code: number | null) => void
  stop(): Promise<void>
}

/** As mail servers do, it names the recipient, in a spelling of its own. */
function refusalOf(responseCode: number, recipients: readonly string[]): Error {
  return Object.assign(new Error(`not now: <${recipients.join().toUpperCase()}>`), { responseCode })
}

const timeoutMs = 15_000

/** Starts an SMTP server on a free port; it keeps all that it gets. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const given = new Set<ReceivedMail>()
  let code: number | null = null
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        if (code !== null) return callback(refusalOf(code, recipients))
        mails.push(readMail(Buffer.concat(chunks).toString('utf8'), recipients))
        callback()
      })
    },
  })
  // A client that goes away in the middle is the test's own doing.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuseWith: (to) => {
      code = to
    },
    async next(to, subject = /./) {
      const until = Date.now() + timeoutMs
      while (Date.now() < until) {
        const found = mails.find((mail) => !given.has(mail) && mail.to.includes(to) && subject.test(mail.subject))
        if (found) {
          given.add(found)
          return found
        }
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      const came = mails.map((mail) => `${mail.to.join(', ')}: ${mail.subject}`)
      throw new Error(`no mail to ${to} with ${subject}; there are:\n${came.join('\n')}`)
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
