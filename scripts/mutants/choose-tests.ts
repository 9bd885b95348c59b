import { isNearArea, isTestOf } from './areas.ts'
import type { Mutant } from './mutant.ts'
import type { TestCoverage } from './coverage.ts'

/**
 * The number of mutants that a test file has noticed in a source file or SQL function. `noticedKey` makes the key of the two. Tests with higher
 * numbers run first.
 */
export type NoticedCounts = Map<string, number>

/**
 * Returns the count 1 for each test whose text contains the name of an SQL function, as if the test had noticed a mutant of this function: such a
 * test is likely to notice one. `texts`: texts of the test files, by name.
 */
export function countsByName(signatures: Iterable<string>, texts: ReadonlyMap<string, string>): NoticedCounts {
  const noticed: NoticedCounts = new Map()
  for (const signature of signatures) {
    const name = signature.split('(')[0]?.split('.')[1] ?? ''
    for (const [test, text] of texts) if (text.includes(name)) noticed.set(noticedKey({ file: signature }, test), 1)
  }
  return noticed
}

/**
 * Returns test files of the mutant's area that run its block, or, for an SQL function, that call the function. Fast tests that are likely to
 * notice the mutant come first. Returns the first test file in any case, and further test files as long as all of them together take at most
 * `time` (seconds).
 */
export function chooseTests(
  mutant: Mutant,
  all: ReadonlyMap<string, TestCoverage>,
  noticed: NoticedCounts,
  time: number,
): string[] {
  const coverage = new Map([...all].filter(([file]) => isTestOf(mutant.area, file)))
  const [name = ''] = mutant.file.split('(')
  // PostgreSQL does not count a call that raised an error. So tests that name the function are included too. If no call of
  // the function was counted, all tests of the area are included.
  const isCounted = [...coverage.values()].some(({ functions }) => functions.includes(name))
  // If no test enters a block of the file (a file with only constants has none), a mutant outside of blocks gets the tests
  // near its area (`isNearArea`). In the browser's data, it gets the tests that import the file.
  const isEntered = [...coverage.values()].some(({ blocks }) =>
    blocks.some((block) => block.startsWith(`${mutant.file}:`)),
  )
  const isOfArea = (test: string) => isNearArea(mutant.area, test)
  // For example, `auth-rate-limits.test.ts` is a namesake of `auth/rate-limits.ts`.
  const mutatedName = mutant.file.split('/').at(-1)?.replace('.ts', '') ?? ''
  const isNamesake = (test: string) => mutant.area !== 'sql' && test.includes(mutatedName)
  const isReached = (file: string, { blocks, functions, imports }: TestCoverage) => {
    if (mutant.area === 'sql') return !isCounted || functions.includes(name) || noticed.has(noticedKey(mutant, file))
    if (mutant.block !== null) return blocks.includes(`${mutant.file}:${mutant.block}`)
    if (isEntered) return blocks.some((block) => block.startsWith(`${mutant.file}:`))
    return mutant.area === 'data' ? imports.includes(mutant.file) : isOfArea(file)
  }
  const score = (file: string, { seconds }: TestCoverage) =>
    ((isNamesake(file) ? 20 : isOfArea(file) ? 3 : 1) + 4 * (noticed.get(noticedKey(mutant, file)) ?? 0)) /
    (1 + seconds)
  const candidates = [...coverage]
    .filter(([file, fileCoverage]) => fileCoverage.isGreen && isReached(file, fileCoverage))
    .toSorted((a, b) => score(...b) - score(...a))
  let secondsLeft = time
  const chosen: string[] = []
  for (const [file, { seconds }] of candidates) {
    if (chosen.length > 0 && seconds > secondsLeft) continue
    secondsLeft -= seconds
    chosen.push(file)
  }
  return chosen
}

export function noticedKey(mutant: Pick<Mutant, 'file'>, test: string): string {
  return `${mutant.file} ${test}`
}
