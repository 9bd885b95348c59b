import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { describeFailure, describeStartFailure } from './start-failure.ts'
import { startServer } from './start-server.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'banyan-start-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

/** Starts the server, which must fail. Returns the printed sentence and the exit code. */
async function failedStart(environment: Record<string, string>) {
  const config = readConfig({ DATA_DIR: dataDir, PORT: '0', ...environment })
  const error = await startServer({ config, webRoot: dataDir, log: pino({ level: 'silent' }) }).then(
    (server) => server.stop(),
    (reason: unknown) => reason,
  )
  return describeStartFailure(error)
}

it.each(['999.1.1.1', '192.0.2.7'])(
  'a server whose HOST is %s, which is no address of this machine, ends with exit code 1',
  async (HOST) => {
    expect(await failedStart({ HOST })).toEqual({
      sentence: 'HOST is not an IP address of this machine. Set HOST to one that is.',
      exitCode: 1,
    })
  },
)

it('a start that fails because the host name of the database is not found ends with exit code 75, for a temporary cause', async () => {
  expect(await failedStart({ DATABASE_URL: 'postgres://ana@999.1.1.1/crm' })).toMatchObject({ exitCode: 75 })
})

it('a start that cannot connect to the external database names its host and port, and ends with exit code 75', async () => {
  expect(await failedStart({ DATABASE_URL: 'postgres://ana:secret@127.0.0.1:1/crm' })).toEqual({
    sentence:
      'The database at 127.0.0.1:1 cannot be reached, or has closed the connection. Check that PostgreSQL runs there, and that this machine can connect to it; then run this again. (connect ECONNREFUSED 127.0.0.1:1)',
    exitCode: 75,
  })
})

it('a server whose DATA_DIR is inside a file ends with exit code 1, and its message names the path', async () => {
  const file = join(dataDir, 'file')
  writeFileSync(file, '')
  expect(await failedStart({ DATA_DIR: join(file, 'data') })).toEqual({
    sentence: `${join(file, 'data')}: a part of this path is not a directory. Run this as the user to whom the files belong, or set DATA_DIR to another directory.`,
    exitCode: 1,
  })
})

it('a command whose user may not read the files says so', () => {
  const error = Object.assign(new Error('EACCES: permission denied, stat'), {
    code: 'EACCES',
    path: '/srv/crm/postgres',
  })
  expect(describeFailure(error)).toBe(
    '/srv/crm/postgres: permission denied. Run this as the user to whom the files belong, or set DATA_DIR to another directory.',
  )
})

it('a start that fails with a deadlock ends with exit code 75, for a temporary cause', () => {
  expect(describeStartFailure(Object.assign(new Error('deadlock detected'), { code: '40P01' })).exitCode).toBe(75)
})

it('a start whose database does not exist says what to do', () => {
  const error = Object.assign(new Error('database "nodb" does not exist'), { code: '3D000' })
  expect(describeStartFailure(error)).toEqual({
    sentence: 'database "nodb" does not exist. Create it (`create database`), or set DATABASE_URL to another one.',
    exitCode: 1,
  })
})

it('a start or a command that fails because a disk is full says so', () => {
  const ofDatabase = Object.assign(new Error('could not extend file "base/1/2": No space left on device'), {
    code: '53100',
  })
  expect(describeFailure(ofDatabase)).toBe(
    'could not extend file "base/1/2": No space left on device. The disk of the database is full. Free some space, then run this again.',
  )
  const ofFile = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    syscall: 'write',
  })
  expect(describeFailure(ofFile)).toBe(
    'ENOSPC: no space left on device, write. The disk is full. Free some space, then run this again.',
  )
})
