import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { signUpPerson } from '../harness/client.ts'
import { type TestDatabase, testDatabase } from '../harness/database.ts'
import { type OutputKind, startServerWithOutput } from '../harness/output-kinds.ts'

/** Timeout in milliseconds, long enough for a busy machine. */
const timeoutMs = 30_000
const emailOfAna = 'ana.at.the.terminal@example.com'

let database: TestDatabase
let dataDir: string

beforeEach(async () => {
  database = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'banyan-terminal-'))
})
afterEach(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Returns the texts of the mails in the outbox folder. */
async function mailTexts(): Promise<string[]> {
  const folder = join(dataDir, 'outbox')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.txt'))
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
}

/** Returns the output of a server that mails a link and a code, and the link and the code that the outbox folder contains. */
async function outputOfMails(kind: OutputKind, env: Record<string, string> = {}) {
  const server = await startServerWithOutput(kind, { dataDir, databaseUrl: database.url, env })
  try {
    const { client } = await signUpPerson(server, emailOfAna)
    await client.auth.resetPasswordForEmail(emailOfAna)
    await client.auth.reauthenticate()
    const until = Date.now() + timeoutMs
    const hints = () => server.output().match(/"msg":"SMTP_URL is not set[^"]*"/g) ?? []
    while (((await mailTexts()).length < 2 || hints().length < 2) && Date.now() < until) await sleep(50)
    const texts = (await mailTexts()).join('\n')
    const [link = ''] = /https?:\S+token_hash\S+/.exec(texts) ?? []
    const [, code = ''] = /\n(\d{6})\n/.exec(texts) ?? []
    expect(link).toContain('/auth/confirm#token_hash=')
    expect(code).toMatch(/^\d{6}$/)
    return { link, code, hints: hints(), output: server.output() }
  } finally {
    await server.stop()
  }
}

const outboxHint = '"msg":"SMTP_URL is not set: a mail was written to the outbox folder"'

it('the server prints the link and the code of a mail in a terminal of this machine', async () => {
  const { link, code, hints, output } = await outputOfMails('terminal')
  expect(output).toContain(`Mail to ${emailOfAna} (Set a new password): ${link}`)
  expect(output).toContain(`Mail to ${emailOfAna} (Your confirmation code): ${code}`)
  expect(hints).toEqual([outboxHint, outboxHint])
}, 90_000)

it.each<[OutputKind, Record<string, string>]>([
  ['pipe', {}],
  ['file', {}],
  // The site has a public URL, so the link may belong to another person than the one at the terminal.
  ['terminal', { SITE_URL: 'https://crm.example.com' }],
])(
  'with output to a %s and settings %j the server prints the path of the mail, but not its link, code or address',
  async (kind, env) => {
    const { link, code, hints, output } = await outputOfMails(kind, env)
    expect(hints).toEqual([outboxHint, outboxHint])
    expect(output).toContain(`"file":"${join(dataDir, 'outbox')}/`)
    expect(output).not.toContain('Mail to')
    expect(output).not.toContain('token_hash')
    expect(output).not.toContain(link)
    // Six digits may also be part of a time.
    expect(output).not.toContain(`: ${code}`)
    expect(output).not.toContain(emailOfAna)
  },
  90_000,
)
