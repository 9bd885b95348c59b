import { describe, expect, it } from 'vitest'
import { areaOf, isTestOf } from './areas.ts'
import { changesOfTypescript } from './change-typescript.ts'
import { chooseTests, noticedKey } from './choose-tests.ts'
import { type Mutant, toMutants } from './mutant.ts'
import type { TestCoverage } from './coverage.ts'

const pullFile = 'src/web/data/sync/pull.ts'
const pullText = 'export const pages = 3\nexport function isLast(rows: number) {\n  return rows < pages\n}\n'
const [mutantOutsideBlocks, mutantInBlock] = toMutants(
  'data',
  pullFile,
  pullText,
  changesOfTypescript(pullFile, pullText),
) as [Mutant, Mutant]

const coverage = (seconds: number, more: Partial<TestCoverage> = {}): TestCoverage => ({
  key: '',
  isGreen: true,
  seconds,
  blocks: [`${pullFile}:${mutantInBlock.block}`],
  functions: [],
  imports: [pullFile],
  ...more,
})

describe('areas', () => {
  it('the areas of mutants contain only code that mutants change, without its tests', () => {
    expect(areaOf('src/web/data/sync/pull.ts')).toBe('data')
    expect(areaOf('src/web/data/query/lists/view.ts')).toBe('data')
    expect(areaOf('src/server/auth/factors/totp.ts')).toBe('auth')
    for (const file of ['session/session.ts', 'deals.ts', 'changes/send-order.test.ts', 'store/test-operation.ts'])
      expect(areaOf(`src/web/data/${file}`)).toBeNull()
    expect(areaOf('src/server/db/migrate.ts')).toBeNull()
  })

  it('the areas of mutants have separate tests: no tests of the server for the data, and no tests of the data for the server', () => {
    expect(isTestOf('data', 'src/web/data/changes/send-order.test.ts')).toBe(true)
    expect(isTestOf('data', 'tests/api/data-pull.test.ts')).toBe(true)
    expect(isTestOf('data', 'src/web/data/query/hooks.test.tsx')).toBe(true)
    expect(isTestOf('data', 'tests/api/rest-read.test.ts')).toBe(false)
    expect(isTestOf('rest', 'tests/api/rest-read.test.ts')).toBe(true)
    expect(isTestOf('sql', 'supabase/tests/isolation.test.ts')).toBe(true)
    expect(isTestOf('rest', 'tests/api/data-pull.test.ts')).toBe(false)
    expect(isTestOf('rest', 'tests/api/http-stop.test.ts')).toBe(false)
    expect(isTestOf('data', 'tests/harness/acme.ts')).toBe(false)
  })
})

describe('the tests that are chosen for a mutant in src/web/data', () => {
  const coverageByTest = new Map<string, TestCoverage>([
    ['tests/api/data-lists.test.ts', coverage(10)],
    ['tests/api/data-pull.test.ts', coverage(10)],
    ['tests/api/data-money.test.ts', coverage(1, { blocks: [] })],
    ['src/web/data/sync/reconnect-delay.test.ts', coverage(1, { blocks: [], imports: [] })],
    ['tests/api/data-session.test.ts', coverage(1, { isGreen: false })],
    ['tests/api/bounded-answers.test.ts', coverage(1)],
  ])

  it('the tests of a mutant of the data are those that run its block; the one named after its file comes first', () => {
    expect(chooseTests(mutantInBlock, coverageByTest, new Map(), 100)).toEqual([
      'tests/api/data-pull.test.ts',
      'tests/api/data-lists.test.ts',
    ])
  })

  it('the tests of a mutant of the data are limited by the time that they take together', () => {
    expect(chooseTests(mutantInBlock, coverageByTest, new Map(), 15)).toEqual(['tests/api/data-pull.test.ts'])
  })

  it('the tests of a mutant of the data include shorter tests after one that takes too long', () => {
    const undoTest = 'tests/api/data-undo.test.ts'
    const noticedCounts = new Map([[noticedKey(mutantInBlock, 'tests/api/data-lists.test.ts'), 10]])
    expect(
      chooseTests(mutantInBlock, new Map([...coverageByTest, [undoTest, coverage(4)]]), noticedCounts, 15),
    ).toEqual(['tests/api/data-lists.test.ts', undoTest])
  })

  it('the tests of a mutant of the data are those that import its file, if no test runs one of its blocks', () => {
    const coverageWithoutBlocks = new Map(
      [...coverageByTest].map(([file, fileCoverage]) => [file, { ...fileCoverage, blocks: [] }]),
    )
    expect(chooseTests(mutantOutsideBlocks, coverageWithoutBlocks, new Map(), 100)).toEqual([
      'tests/api/data-pull.test.ts',
      'tests/api/data-money.test.ts',
      'tests/api/data-lists.test.ts',
    ])
  })
})
