import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** They last longest. One that began late would be left alone at the end, and a processor idle. */
const first = [
  'tests/api/simulation.test.ts',
  'tests/api/hostile-lives.test.ts',
  'tests/api/http-stop.test.ts',
  'tests/api/rest-fuzz.test.ts',
  'tests/api/demo.test.ts',
]

/** Which file runs when: the longest first, then large ones; last those with a DOM, because another environment is another process with all modules anew. */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranks = new Map(files.map(({ moduleId }) => [moduleId, rankOf(moduleId)]))
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => (ranks.get(a.moduleId) ?? 0) - (ranks.get(b.moduleId) ?? 0))
  }
}

function rankOf(file: string): number {
  const place = first.findIndex((path) => file.endsWith(`/${path}`))
  if (place >= 0) return place
  return readFileSync(file, 'utf8').includes('@vitest-environment') ? first.length + 1 : first.length
}
