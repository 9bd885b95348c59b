import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'banyan-arguments-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

// The port of DATABASE_URL is closed, so that a command that begins its work fails.
function run(command: string, ...args: string[]) {
  const env = { ...process.env, INIT_CWD: folder, DATA_DIR: folder, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
  const { status, stdout, stderr } = spawnSync('node_modules/.bin/tsx', [`scripts/${command}.ts`, ...args], {
    env,
    encoding: 'utf8',
  })
  return { status, stdout, stderr, files: readdirSync(folder) }
}

describe.each(['backup', 'restore'])('npm run %s', (command) => {
  const usage = `Usage: npm run ${command} -- FILE`

  it.each(['--help', '-h'])('%s prints the usage and does nothing', (option) => {
    const result = run(command, option)
    expect(result).toMatchObject({ status: 0, stderr: '', files: [] })
    expect(result.stdout).toMatch(`${usage}\n`)
  })

  it('an unknown option is refused and is not taken as a file', () => {
    const stderr = `Unknown option --force. A file of this name is written ./--force.\n${usage}\n`
    expect(run(command, 'all.backup', '--force')).toEqual({ status: 1, stdout: '', stderr, files: [] })
  })

  it('no file or two files are refused with the usage', () => {
    for (const args of [[], ['one', 'two']])
      expect(run(command, ...args)).toEqual({ status: 1, stdout: '', stderr: `${usage}\n`, files: [] })
  })
})
