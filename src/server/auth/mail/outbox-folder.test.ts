import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { outboxFolder } from './transport.ts'

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
  await outboxFolder(inner, log, null).send(mail('Hello'))
  const files = (await readdir(inner)).toSorted()
  expect(files).toEqual([expect.stringMatching(/^\d{8}T.*\.html$/), expect.stringMatching(/^\d{8}T.*\.txt$/)])
  for (const file of files) expect((await stat(join(inner, file))).mode & 0o777).toBe(0o600)
  expect((await stat(inner)).mode & 0o777).toBe(0o700)
})

it('old mails in the outbox folder are deleted at the start, and no other files', async () => {
  const put = async (name: string, days: number) => {
    await writeFile(join(folder, name), '')
    const then = (Date.now() - days * dayMs) / 1000
    await utimes(join(folder, name), then, then)
  }
  await put('20260101T000000-1-recovery.txt', 60)
  await put('20260101T000000-1-recovery.html', 60)
  await put('notes.txt', 60)
  await put('20260101T000000-1-recovery.pdf', 60)
  await put('x20260101T000000-1-recovery.txt', 60)
  await put('20260601T000000-2-recovery.txt', 0)
  await outboxFolder(folder, log, null).send(mail('Hello'))
  const left = (await readdir(folder)).filter((name) => !name.includes('-7-'))
  expect(left.toSorted()).toEqual([
    '20260101T000000-1-recovery.pdf',
    '20260601T000000-2-recovery.txt',
    'notes.txt',
    'x20260101T000000-1-recovery.txt',
  ])
})
