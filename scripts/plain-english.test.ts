import { describe, expect, it } from 'vitest'
import { findingsIn, retiredWords } from './plain-english.ts'

describe('a retired word', () => {
  it('a retired word is found in a comment of any kind', () => {
    expect(findingsIn('src/server/a.ts', '// Stir the list.\n')).toEqual([
      "src/server/a.ts:1: comment 'stir': use invalidate",
    ])
    expect(findingsIn('src/server/a.ts', '/**\n * Whoever asks\n */\n')).toHaveLength(1)
    expect(findingsIn('src/server/a.ts', 'const a = 1 // the tenant\n')).toHaveLength(1)
    expect(findingsIn('supabase/a.sql', 'select 1; -- bury it\n')).toHaveLength(1)
    expect(findingsIn('docs/a.md', 'The workspace.\n')).toHaveLength(1)
  })

  it('a retired word is found in an identifier and in a file name, in every notation', () => {
    expect(findingsIn('src/server/a.ts', 'const lastPatience = 1\n')).toEqual([
      "src/server/a.ts:1: identifier 'patience': use timeoutMs",
    ])
    expect(findingsIn('src/server/a.ts', 'stirAll()\n')).toHaveLength(1)
    expect(findingsIn('supabase/a.sql', 'perform private.unbury_all();\n')).toHaveLength(1)
    expect(findingsIn('src/server/greet-all.ts', '')).toHaveLength(1)
  })

  it('a retired word is permitted inside another word, and in a text that the program shows', () => {
    expect(findingsIn('src/server/a.ts', 'const stirring = tenancy\n')).toEqual([])
    expect(findingsIn('src/server/a.ts', "log.info('whoever reads this')\n")).toEqual([])
    expect(findingsIn('src/server/a.ts', "const url = 'https://tenant.example'\n")).toEqual([])
    expect(findingsIn('src/server/a.ts', 'expect(text).toMatch(/be brought back/)\n')).toEqual([])
    expect(findingsIn('supabase/a.sql', "select 'the tenant';\n")).toEqual([])
  })

  it('a retired word is permitted in a listed file, and only there', () => {
    expect(findingsIn('README.md', 'A CRM for many tenants? One tenant.\n')).toHaveLength(1)
    expect(findingsIn('README.md', 'The screen is told.\n')).toHaveLength(1)
    expect(findingsIn('src/web/data/sync/a.ts', '// The screen is told.\n')).toHaveLength(1)
  })

  it('each retired word is in lower case, and is not among the words to use instead', () => {
    for (const [word, instead] of Object.entries(retiredWords)) {
      expect(word).toBe(word.toLowerCase())
      expect(instead.split(/\W+/)).not.toContain(word)
    }
  })
})

describe('a module constant', () => {
  it('a module constant is written in camelCase', () => {
    expect(findingsIn('src/server/a.ts', 'export const MAX_ROWS = 5\n')).toEqual([
      'src/server/a.ts:1: constant MAX_ROWS: module constants are camelCase',
    ])
    expect(findingsIn('src/server/a.ts', 'const A = 5\n')).toHaveLength(1)
    expect(findingsIn('src/server/a.ts', 'const maxRows = 5\nconst Schema = z.string()\n')).toEqual([])
  })
})
