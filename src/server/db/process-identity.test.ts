import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isPostgresOf, killOrphanedWorkers } from './process-identity.ts'

let folder: string
let started: ChildProcess[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'banyan-workers-'))
  started = []
})
afterEach(() => {
  for (const child of started) child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

/** Starts a program that sleeps for a minute in the working directory `cwd`. */
async function start(program: string, cwd: string): Promise<ChildProcess> {
  const child = spawn(program, ['60'], { cwd, stdio: 'ignore' })
  started.push(child)
  await once(child, 'spawn')
  return child
}

it.runIf(process.platform === 'linux')(
  'killOrphanedWorkers kills the processes of PostgreSQL in its data directory, and no program that an operator runs there',
  async () => {
    const postgres = join(folder, 'postgres')
    copyFileSync('/bin/sleep', postgres)
    const worker = await start(postgres, folder)
    const operatorProgram = await start('sleep', folder)
    const postgresElsewhere = await start(postgres, tmpdir())
    const isPostgresOfFolder = [worker, operatorProgram, postgresElsewhere].map(({ pid }) =>
      isPostgresOf(pid as number, folder),
    )
    const ended = once(worker, 'exit')
    killOrphanedWorkers(folder)
    expect(await ended).toEqual([null, 'SIGKILL'])
    // If the other processes got a signal at the same time, they have ended after this wait.
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect([operatorProgram.signalCode, postgresElsewhere.signalCode]).toEqual([null, null])
    expect(isPostgresOfFolder).toEqual([true, false, false])
  },
)
