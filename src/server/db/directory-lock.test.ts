import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lockDirectory } from './directory-lock.ts'
import { processIdentity } from './process-identity.ts'

const log = pino({ level: 'silent' })

const lockOfDeadProcess = JSON.stringify({
  pid: 4_000_000,
  identity: 'an earlier boot',
  socketDirectory: '/tmp/banyan-gone',
})
const lockOfLivingProcess = JSON.stringify({
  pid: process.ppid,
  identity: processIdentity(process.ppid),
  socketDirectory: null,
})

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'banyan-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Returns the names of the files of a lock: the lock, and on Linux its socket. */
function lockFiles(): string[] {
  const { lifeSocket } = JSON.parse(readFileSync(join(folder, 'server.lock'), 'utf8')) as { lifeSocket: string | null }
  return lifeSocket === null ? ['server.lock'] : ['server.lock', lifeSocket].sort()
}

it('a new server replaces the lock of a dead server, gets that server’s socket directory, and leaves no other file', async () => {
  writeFileSync(join(folder, 'server.lock'), lockOfDeadProcess)
  const lock = await lockDirectory(folder, log)
  expect(lock.previousSocketDirectory).toBe('/tmp/banyan-gone')
  expect(readdirSync(folder)).toEqual(lockFiles())
  lock.release()
  expect(readdirSync(folder)).toEqual([])
})

it('a new server replaces a lock file that a power failure has emptied, and continues an interrupted removal of a lock', async () => {
  writeFileSync(join(folder, 'server.lock'), '')
  writeFileSync(join(folder, 'server.lock.removal'), lockOfDeadProcess)
  const lock = await lockDirectory(folder, log)
  expect(JSON.parse(readFileSync(join(folder, 'server.lock'), 'utf8')).pid).toBe(process.pid)
  expect(readdirSync(folder)).toEqual(lockFiles())
  lock.release()
})

it('a server removes only its own lock, not the lock of a server in another container with the same process id', async () => {
  const lock = await lockDirectory(folder, log)
  const otherLock = JSON.stringify({ pid: process.pid, identity: 'another container', socketDirectory: null })
  writeFileSync(join(folder, 'server.lock'), otherLock)
  lock.release()
  expect(readFileSync(join(folder, 'server.lock'), 'utf8')).toBe(otherLock)
})

it('a server waits while another server removes the stale lock, and is refused after the other server has locked the directory', async () => {
  const path = join(folder, 'server.lock')
  writeFileSync(path, lockOfDeadProcess)
  writeFileSync(`${path}.removal`, lockOfLivingProcess)
  const otherServer = spawn(process.execPath, [
    '-e',
    `setTimeout(() => {
       const { renameSync, rmSync, writeFileSync } = require('node:fs')
       writeFileSync(${JSON.stringify(path)} + '.new', ${JSON.stringify(lockOfLivingProcess)})
       renameSync(${JSON.stringify(path)} + '.new', ${JSON.stringify(path)})
       rmSync(${JSON.stringify(path)} + '.removal')
     }, 300)`,
  ])
  await expect(lockDirectory(folder, log)).rejects.toThrow(
    `Another server (process ${process.ppid}) already runs on ${folder}.`,
  )
  expect(readFileSync(path, 'utf8')).toBe(lockOfLivingProcess)
  await new Promise((resolve) => otherServer.once('exit', resolve))
  expect(existsSync(`${path}.removal`)).toBe(false)
})

it.each([
  ['', ''],
  // Process 1 is the server of a container.
  [', all with the process id 1,', "Object.defineProperty(process, 'pid', { value: 1 })"],
])(
  'only one of many servers%s that find the same stale lock at the same time gets the directory',
  async (_same, setup) => {
    const script = `
    ${setup}
    import { pino } from 'pino'
    import { lockDirectory } from '#server/db/directory-lock.ts'
    const log = pino({ level: 'silent' })
    process.stdout.write('ready\\n')
    process.stdin.on('data', async (chunk) => {
      const [folder, at] = chunk.toString().trim().split(' ')
      while (Date.now() < Number(at)) {}
      let outcome = 'taken'
      try { await lockDirectory(folder, log) } catch (error) { outcome = error.message.includes('already runs') ? 'refused' : error.message }
      process.stdout.write(outcome + '\\n')
    })`
    const children = Array.from({ length: 5 }, () =>
      spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    )
    const nextLine = ({ stdout }: ChildProcess) =>
      new Promise<string>((resolve) => stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim())))
    await Promise.all(children.map(nextLine))
    for (let round = 0; round < 20; round++) {
      const roundFolder = join(folder, String(round))
      mkdirSync(roundFolder)
      writeFileSync(join(roundFolder, 'server.lock'), lockOfDeadProcess)
      const outcomes = children.map(nextLine)
      const at = Date.now() + 15
      for (const { stdin } of children) stdin?.write(`${roundFolder} ${at}\n`)
      expect((await Promise.all(outcomes)).toSorted()).toEqual(['refused', 'refused', 'refused', 'refused', 'taken'])
    }
    for (const child of children) child.kill()
  },
  60_000,
)
