/**
 * Writes a package-lock.json that `npm ci` accepts.
 *
 * Newer versions of npm leave out packages of other platforms that a registry does not answer for, and then refuse
 * their own lock file. The version pinned here writes stub entries for them. It works from package.json alone, in a
 * temporary folder: next to an installed node_modules it would copy the same omissions. Run it after each change of a
 * dependency.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const npmVersion = 'npm@11.6.2'

const folder = mkdtempSync(join(tmpdir(), 'lock-'))
try {
  for (const file of ['package.json', '.npmrc']) copyFileSync(file, join(folder, file))
  const { status } = spawnSync(
    'npx',
    ['--yes', npmVersion, 'install', '--package-lock-only', '--no-audit', '--no-fund'],
    {
      cwd: folder,
      stdio: 'inherit',
    },
  )
  if (status === 0) copyFileSync(join(folder, 'package-lock.json'), 'package-lock.json')
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
