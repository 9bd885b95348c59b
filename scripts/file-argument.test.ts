import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeFileFailure } from './file-argument.ts'

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

it('npm run restore names a file that does not exist, or that is a directory', () => {
  const missing = join(folder, 'none.backup')
  expect(run('restore', 'none.backup').stderr).toBe(`${missing} does not exist. Check the name of the file.\n`)
  mkdirSync(join(folder, 'all.backup'))
  expect(run('restore', 'all.backup').stderr).toBe(`${join(folder, 'all.backup')} is a directory. Name a file.\n`)
})

it('npm run backup names the database that it cannot reach', () => {
  writeFileSync(join(folder, 'keys.json'), '{}')
  const { stderr, files } = run('backup', 'all.backup')
  expect(stderr).toMatch(/^The database at 127\.0\.0\.1:1 cannot be reached, .*ECONNREFUSED.*\n$/)
  expect(files).toEqual(['keys.json'])
})

it('npm run backup into a directory, or beside a directory that has the name of its draft, says what to do', () => {
  writeFileSync(join(folder, 'keys.json'), '{}')
  mkdirSync(join(folder, 'all.backup.partial'))
  expect(run('backup', '.').stderr).toBe(`${join(folder, '.')} is a directory. Name a file.\n`)
  expect(run('backup', 'all.backup').stderr).toBe(
    `${join(folder, 'all.backup.partial')} is a directory. Move it away, or choose another name for the backup.\n`,
  )
})

describe('describeFileFailure', () => {
  it('says which disk is full', () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      path: '/srv/all.backup.partial',
    })
    expect(describeFileFailure(full, '/srv/all.backup', 'write')).toBe(
      'The disk of /srv is full. Free some space, or choose another folder.',
    )
  })

  const fileError = (code: string, path?: string) => Object.assign(new Error(`${code}: open`), { code, path })

  it('says what to do if the file or its draft cannot be opened', () => {
    const texts = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS'].map((code) =>
      describeFileFailure(fileError(code, '/srv/all.backup.partial'), '/srv/all.backup', 'write'),
    )
    expect(texts).toEqual([
      'The folder /srv does not exist. Create it, or choose another one.',
      '/srv/all.backup: a part of this path is not a directory. Choose another name.',
      '/srv/all.backup cannot be written: permission denied. Choose another folder, or run this as a user who may write to it.',
      '/srv/all.backup cannot be written: permission denied. Choose another folder, or run this as a user who may write to it.',
      '/srv/all.backup cannot be written: the file system is read-only. Choose another folder.',
    ])
    expect(describeFileFailure(fileError('EACCES', '/srv/all.backup'), '/srv/all.backup', 'read')).toBe(
      '/srv/all.backup cannot be read: permission denied. Run this as a user who may read it.',
    )
  })

  it('describes other failures as for a start', () => {
    expect(describeFileFailure(fileError('EACCES', '/srv/data'), '/srv/all.backup', 'read')).toMatch(/set DATA_DIR/)
    expect(describeFileFailure(new Error('The database is not empty.'), '/srv/all.backup', 'read')).toBe(
      'The database is not empty.',
    )
  })
})
