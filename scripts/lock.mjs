/**
 * Writes package-lock.json so that `npm ci` takes it.
 *
 * Newer npm leaves out the packages of other platforms that a registry does not answer for, and then refuses its own
 * lock file; the version pinned here writes stub entries for them. Run it after each change of a dependency.
 */
import { spawnSync } from 'node:child_process'

const WRITER = 'npm@11.6.2'

const { status } = spawnSync('npx', ['--yes', WRITER, 'install', '--package-lock-only', '--no-audit', '--no-fund'], {
  stdio: 'inherit',
})
process.exit(status ?? 1)
