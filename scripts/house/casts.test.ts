import { expect, it } from 'vitest'
import { casts } from './casts.ts'
import { parseTexts } from './parse-texts.ts'

it('the count of casts includes non-null assertions, and nothing that only looks like a cast', () => {
  const text = `import { one as two } from './one.ts'
const a = two as string
const b = two!.length
const c = <number>two
const d = two as unknown as Element
const e = ['x'] as const
const f = two satisfies string
const g = !two && two !== 'x as y'
// two as string
export { a as given, b, c, d, e, f, g }
`
  expect(casts(parseTexts({ 'src/web/lib/a.ts': text }))).toEqual([
    'src/web/lib/a.ts:2',
    'src/web/lib/a.ts:3',
    'src/web/lib/a.ts:4',
    'src/web/lib/a.ts:5',
    'src/web/lib/a.ts:5',
  ])
})
