import { describe, expect, it } from 'vitest'
import { areaOf, isTestOf } from './areas.ts'
import { changesOfTypescript } from './change-typescript.ts'
import { chooseTests, luckKey } from './choose-tests.ts'
import { type Mutant, named } from './mutant.ts'
import type { Reach } from './reach.ts'

const pull = 'src/web/data/sync/pull.ts'
const text = 'export const pages = 3\nexport function isLast(rows: number) {\n  return rows < pages\n}\n'
const [constant, bound] = named('data', pull, text, changesOfTypescript(pull, text)) as [Mutant, Mutant]

const reach = (seconds: number, more: Partial<Reach> = {}): Reach => ({
  key: '',
  isGreen: true,
  seconds,
  blocks: [`${pull}:${bound.block}`],
  functions: [],
  imports: [pull],
  ...more,
})

describe('areas', () => {
  it('hold the code that is changed, without its tests', () => {
    expect(areaOf('src/web/data/sync/pull.ts')).toBe('data')
    expect(areaOf('src/web/data/query/lists/view.ts')).toBe('data')
    expect(areaOf('src/server/auth/factors/totp.ts')).toBe('auth')
    for (const file of ['session/session.ts', 'deals.ts', 'changes/next.test.ts', 'store/test-operation.ts'])
      expect(areaOf(`src/web/data/${file}`)).toBeNull()
    expect(areaOf('src/server/db/migrate.ts')).toBeNull()
  })

  it('have tests of their own: the server is not asked with those of the data, nor the data with those of the server', () => {
    expect(isTestOf('data', 'src/web/data/changes/next.test.ts')).toBe(true)
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

describe('the tests of a mutant of the data', () => {
  const all = new Map<string, Reach>([
    ['tests/api/data-lists.test.ts', reach(10)],
    ['tests/api/data-pull.test.ts', reach(10)],
    ['tests/api/data-money.test.ts', reach(1, { blocks: [] })],
    ['src/web/data/sync/reconnect-delay.test.ts', reach(1, { blocks: [], imports: [] })],
    ['tests/api/data-session.test.ts', reach(1, { isGreen: false })],
    ['tests/api/bounded-answers.test.ts', reach(1)],
  ])

  it('run its block, the one of its name first', () => {
    expect(chooseTests(bound, all, new Map(), 100)).toEqual([
      'tests/api/data-pull.test.ts',
      'tests/api/data-lists.test.ts',
    ])
  })

  it('are as many as fit into the time', () => {
    expect(chooseTests(bound, all, new Map(), 15)).toEqual(['tests/api/data-pull.test.ts'])
  })

  it('are those that still fit, where one before them does not', () => {
    const undo = 'tests/api/data-undo.test.ts'
    const luck = new Map([[luckKey(bound, 'tests/api/data-lists.test.ts'), 10]])
    expect(chooseTests(bound, new Map([...all, [undo, reach(4)]]), luck, 15)).toEqual([
      'tests/api/data-lists.test.ts',
      undo,
    ])
  })

  it('import its file, where no test enters a block of it', () => {
    const entered = new Map([...all].map(([file, one]) => [file, { ...one, blocks: [] }]))
    expect(chooseTests(constant, entered, new Map(), 100)).toEqual([
      'tests/api/data-pull.test.ts',
      'tests/api/data-money.test.ts',
      'tests/api/data-lists.test.ts',
    ])
  })
})
