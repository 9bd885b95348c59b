import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beginTestRun, endTestRun } from './test-cluster.ts'

/**
 * Called by vitest and Playwright before all tests. Creates a folder for the run's database and for all files in `tmpdir()`. The returned
 * function removes the folder.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await beginTestRun()
  const tmpdirBefore = process.env.TMPDIR
  const filesFolder = join(folder, 'tmp')
  mkdirSync(filesFolder)
  chmodSync(filesFolder, 0o1777)
  process.env.TMPDIR = filesFolder
  return () => {
    if (tmpdirBefore === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = tmpdirBefore
    return endTestRun(folder)
  }
}
