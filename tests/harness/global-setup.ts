import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beginTestRun, endTestRun } from './test-cluster.ts'

/**
 * vitest and Playwright call it before all tests. Creates a folder for the run's database and for all files in `tmpdir()`; the returned
 * function removes it.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await beginTestRun()
  const before = process.env.TMPDIR
  const files = join(folder, 'tmp')
  mkdirSync(files)
  chmodSync(files, 0o1777)
  process.env.TMPDIR = files
  return () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    return endTestRun(folder)
  }
}
