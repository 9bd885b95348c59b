import { beginTestRun, endTestRun } from './test-cluster.ts'

/** Before all tests (vitest and Playwright call it): a folder for the run's database; the answer cleans up. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await beginTestRun()
  return () => endTestRun(folder)
}
