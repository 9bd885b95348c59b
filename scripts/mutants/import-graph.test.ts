import { expect, it } from 'vitest'
import { importGraph } from './import-graph.ts'

const files: Record<string, string> = {
  'tests/api/data-pull.test.ts': `import { play } from '../harness/play.ts'\nimport { test } from 'vitest'\ntest('x', play)\n`,
  'tests/harness/play.ts': `import type { Row } from '#web/data/server/rows.ts'
import { type Name } from '#web/data/server/names.ts'
import { one, type Two } from '#web/data/sync/pull.ts'
export type { Kept } from '#web/data/store/kept.ts'
const program = new URL('device.ts', import.meta.url)
const page = new URL('device.ts', 'http://localhost')
export const play = async (row: Row, name: Name, two: Two) => [one, row, name, two, program, page, await import('./later.ts')]
`,
  'tests/harness/device.ts': `export { send } from '#web/data/changes/send.ts'\n`,
  'tests/harness/later.ts': '',
  'src/web/data/sync/pull.ts': `import './live.ts'\nexport const one = 1\nexport type Two = 2\n`,
  'src/web/data/sync/live.ts': `import { one } from './pull.ts'\nconsole.log(one)\n`,
  'src/web/data/changes/send.ts': 'export const send = 1\n',
  'src/web/data/server/rows.ts': 'export type Row = 1\n',
  'src/web/data/server/names.ts': 'export type Name = 1\n',
  'src/web/data/store/kept.ts': 'export type Kept = 1\n',
}

it('the import graph of a test contains the files that run when the test is imported, without type imports', () => {
  const importsOf = importGraph(Object.keys(files), (file) => files[file] ?? '')
  expect([...importsOf('tests/api/data-pull.test.ts')].toSorted()).toEqual([
    'src/web/data/changes/send.ts',
    'src/web/data/sync/live.ts',
    'src/web/data/sync/pull.ts',
    'tests/api/data-pull.test.ts',
    'tests/harness/device.ts',
    'tests/harness/later.ts',
    'tests/harness/play.ts',
  ])
})
