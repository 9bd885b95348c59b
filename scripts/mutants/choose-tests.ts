import { isNear, isTestOf } from './areas.ts'
import type { Mutant } from './mutant.ts'
import type { Reach } from './reach.ts'

/** How many mutants of a source file each test file has noticed. Those with more are run first. */
export type Luck = Map<string, number>

/**
 * A test that contains the name of an SQL function counts like one that has noticed a mutant of it. `texts`: of the
 * test files.
 */
export function luckOfNames(signatures: Iterable<string>, texts: ReadonlyMap<string, string>): Luck {
  const luck: Luck = new Map()
  for (const file of signatures) {
    const name = file.split('(')[0]?.split('.')[1] ?? ''
    for (const [test, text] of texts) if (text.includes(name)) luck.set(luckKey({ file }, test), 1)
  }
  return luck
}

/**
 * The test files of the mutant's area that run its block (for a function of SQL: that call it), the most promising for their time
 * first, as many as fit into the time (seconds); one at least.
 */
export function chooseTests(mutant: Mutant, all: ReadonlyMap<string, Reach>, luck: Luck, time: number): string[] {
  const reach = new Map([...all].filter(([file]) => isTestOf(mutant.area, file)))
  const [name = ''] = mutant.file.split('(')
  // PostgreSQL does not count a call that raised an error: tests that name the function are included, and all tests if
  // no call was counted.
  const isCounted = [...reach.values()].some(({ functions }) => functions.includes(name))
  // A file of constants alone has no block: all tests of its area are asked, of the browser's data those that import it.
  const isEntered = [...reach.values()].some(({ blocks }) => blocks.some((one) => one.startsWith(`${mutant.file}:`)))
  const isOfArea = (test: string) => isNear(mutant.area, test)
  // `auth-rate-limits.test.ts` for `auth/rate-limits.ts`
  const base = mutant.file.split('/').at(-1)?.replace('.ts', '') ?? ''
  const isNamesake = (test: string) => mutant.area !== 'sql' && test.includes(base)
  const isReached = (file: string, { blocks, functions, imports }: Reach) => {
    if (mutant.area === 'sql') return !isCounted || functions.includes(name) || luck.has(luckKey(mutant, file))
    if (mutant.block !== null) return blocks.includes(`${mutant.file}:${mutant.block}`)
    if (isEntered) return blocks.some((block) => block.startsWith(`${mutant.file}:`))
    return mutant.area === 'data' ? imports.includes(mutant.file) : isOfArea(file)
  }
  const score = (file: string, { seconds }: Reach) =>
    ((isNamesake(file) ? 20 : isOfArea(file) ? 3 : 1) + 4 * (luck.get(luckKey(mutant, file)) ?? 0)) / (1 + seconds)
  const fitting = [...reach]
    .filter(([file, one]) => one.isGreen && isReached(file, one))
    .toSorted((a, b) => score(...b) - score(...a))
  let left = time
  const chosen: string[] = []
  for (const [file, { seconds }] of fitting) {
    if (chosen.length > 0 && seconds > left) continue
    left -= seconds
    chosen.push(file)
  }
  return chosen
}

export function luckKey(mutant: Pick<Mutant, 'file'>, test: string): string {
  return `${mutant.file} ${test}`
}
