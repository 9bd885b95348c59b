/**
 * `npm run lock`: writes package-lock.json for the current package.json. Run it after each change of a dependency.
 *
 * If a registry lacks the packages of other platforms, npm writes entries without a version for them. `npm ci` then refuses
 * the file ("Invalid Version"). This script therefore starts from the existing package-lock.json, whose entries are complete. It works
 * in a temporary folder: beside an installed node_modules, npm writes only the entries of this platform's packages. The script keeps
 * the old file if npm fails or an entry still has no version.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const lockFile = 'package-lock.json'
const readLock = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** Returns the names of entries that lack a version. The root entry (its name is empty) and links need none. */
const namesWithoutVersion = (lock) =>
  Object.entries(lock.packages)
    .filter(([name, entry]) => name && !entry.link && !entry.version)
    .map(([name]) => name)

const folder = mkdtempSync(join(tmpdir(), 'lock-'))
try {
  for (const file of ['package.json', '.npmrc']) copyFileSync(file, join(folder, file))
  const newLockFile = join(folder, lockFile)
  const currentLock = readLock(lockFile)
  for (const name of namesWithoutVersion(currentLock)) delete currentLock.packages[name]
  writeFileSync(newLockFile, JSON.stringify(currentLock))

  const { status } = spawnSync('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
  })
  const missing = status === 0 ? namesWithoutVersion(readLock(newLockFile)) : []
  if (missing.length > 0) {
    console.error(`This registry does not have these packages. ${lockFile} was not changed. Use another registry:`)
    for (const name of missing) console.error(`  ${name}`)
  } else if (status === 0) copyFileSync(newLockFile, lockFile)
  process.exitCode = missing.length > 0 ? 1 : (status ?? 1)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
