import { expect, it } from 'vitest'
import { parseTexts } from './parse-texts.ts'
import { upwardImports } from './upward-imports.ts'

it('imports from a higher layer are counted, including type imports and dynamic imports', () => {
  const files = parseTexts({
    'src/web/data/browser/lock.ts': `import type { Row } from '#web/data/server/rows.ts'\nexport type Kept = Row\n`,
    'src/web/data/store/collection.ts': `import { lock } from '#web/data/browser/lock.ts'
import { other } from './other.ts'
import { fold } from '#web/lib/fold.ts'
export { pull } from '../sync/pull.ts'
export const later = () => import('#web/data/deals.ts')
export const all = [lock, other, fold]
`,
    'src/web/data/deals.ts': `export { people } from './people/people.ts'\n`,
    'src/web/pages/deals.tsx': `export { deals } from '#web/data/deals.ts'\n`,
  })
  expect(upwardImports(files)).toEqual([
    'src/web/data/browser/lock.ts:1 #web/data/server/rows.ts',
    'src/web/data/store/collection.ts:4 ../sync/pull.ts',
    'src/web/data/store/collection.ts:5 #web/data/deals.ts',
  ])
})

it('imports are not counted if src/web/data has no folders, or a folder that is no layer', () => {
  expect(upwardImports(parseTexts({ 'src/web/data/deals.ts': `import './pull.ts'\n` }))).toBeNull()
  expect(upwardImports(parseTexts({ 'src/web/data/outbox/send.ts': `import '../deals.ts'\n` }))).toBeNull()
})
