import { beginTestRun, endTestRun } from './test-cluster.ts'

/** Before all tests (vitest and Playwright call it): a folder for the run's database; the answer cleans up. */
export default function setup(): () => Promise<void> {
  const folder = beginTestRun()
  return () => endTestRun(folder)
}
