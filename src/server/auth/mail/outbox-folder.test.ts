import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { outboxTransport } from './transport.ts'

const dayMs = 86_400_000
const log = pino({ level: 'silent' })
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'banyan-outbox-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const mail = (subject: string) => ({
  id: '7',
  template: 'recovery',
  to: 'ana@example.com',
  subject,
  text: 'the text',
  html: '<p>the text</p>',
  secret: 'abc',
})

it('each mail is written as text and as HTML, readable by the server’s user only, into a folder that is created', async () => {
  const inner = join(folder, 'a', 'b')
  await outboxTransport(inner, log, null).send(mail('Hello'))
  const files = (await readdir(inner)).toSorted()
  expect(files).toEqual([expect.stringMatching(/^\d{8}T.*\.html$/), expect.stringMatching(/^\d{8}T.*\.txt$/)])
  for (const file of files) expect((await stat(join(inner, file))).mode & 0o777).toBe(0o600)
  expect((await stat(inner)).mode & 0o777).toBe(0o700)
})

it('old mails in the outbox folder are deleted at the start, and no other files', async () => {
  const writeOldFile = async (name: string, days: number) => {
    await writeFile(join(folder, name), '')
    const modifiedAt = (Date.now() - days * dayMs) / 1000
    await utimes(join(folder, name), modifiedAt, modifiedAt)
  }
  await writeOldFile('20260101T000000-1-recovery.txt', 60)
  await writeOldFile('20260101T000000-1-recovery.html', 60)
  await writeOldFile('notes.txt', 60)
  await writeOldFile('20260101T000000-1-recovery.pdf', 60)
  await writeOldFile('x20260101T000000-1-recovery.txt', 60)
  await writeOldFile('20260601T000000-2-recovery.txt', 0)
  await outboxTransport(folder, log, null).send(mail('Hello'))
  const remainingFiles = (await readdir(folder)).filter((name) => !name.includes('-7-'))
  expect(remainingFiles.toSorted()).toEqual([
    '20260101T000000-1-recovery.pdf',
    '20260601T000000-2-recovery.txt',
    'notes.txt',
    'x20260101T000000-1-recovery.txt',
  ])
})
