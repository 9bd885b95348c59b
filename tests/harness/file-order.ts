import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The test files that take longest. They start first, so that none of them runs alone at the end while a processor is idle. Most of them wait
 * more than they compute, so the other files use the processors meanwhile.
 */
const longestFiles = [
  'tests/api/simulation.test.ts',
  'tests/api/hostile-lives.test.ts',
  'tests/api/http-stop.test.ts',
  'tests/api/rest-fuzz.test.ts',
  'tests/api/demo.test.ts',
  'tests/api/rest-limits.test.ts',
  'tests/api/data-first-look.test.ts',
  'tests/api/http-torture.test.ts',
  'src/server/db/embedded.test.ts',
  'tests/api/invitations.test.ts',
  'tests/api/fair-shares.test.ts',
  'tests/api/mail-delivery.test.ts',
  'tests/api/auth-rate-limits.test.ts',
]

/**
 * Orders the test files: `longestFiles` first, then the others in vitest's own order. Files with a DOM are last, because another environment needs a
 * new process, which loads all modules again.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranks = new Map(files.map(({ moduleId }) => [moduleId, rankOf(moduleId)]))
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => (ranks.get(a.moduleId) ?? 0) - (ranks.get(b.moduleId) ?? 0))
  }
}

function rankOf(file: string): number {
  const index = longestFiles.findIndex((path) => file.endsWith(`/${path}`))
  if (index >= 0) return index
  return readFileSync(file, 'utf8').includes('@vitest-environment') ? longestFiles.length + 1 : longestFiles.length
}
