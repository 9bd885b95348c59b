import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { productNounsIn, uiFiles } from './product-nouns.ts'

/** Imports that break the import law (ARCHITECTURE.md): the importing file, and what it imports. The linter must report each of them. */
const violations: [file: string, specifier: string][] = [
  ['src/shared/limits.ts', '#server/config.ts'],
  ['src/shared/limits.ts', '#web/lib/money.ts'],
  ['src/server/app.ts', '#web/lib/money.ts'],
  ['src/server/app.ts', '@supabase/supabase-js'],
  ['src/server/auth/sign-in.ts', '#server/rest/rest.ts'],
  ['src/server/auth/sign-in.ts', '#server/realtime/socket.ts'],
  ['src/server/auth/sign-in.ts', '#server/app.ts'],
  ['src/server/auth/factors/totp.ts', '../../rest/rest.ts'],
  ['src/server/rest/plan.ts', '#server/auth/auth.ts'],
  ['src/server/rest/plan.ts', '#server/realtime/socket.ts'],
  ['src/server/realtime/socket.ts', '#server/auth/auth.ts'],
  ['src/server/realtime/socket.ts', '#server/rest/rest.ts'],
  ['src/server/http/caller.ts', '#server/auth/auth.ts'],
  ['src/server/http/caller.ts', '#server/db/database.ts'],
  ['src/server/db/migrate.ts', '#server/rest/rest.ts'],
  ['src/server/db/migrate.ts', '#server/calendar/calendar.ts'],
  ['src/server/auth/sign-in.ts', '#server/calendar/calendar.ts'],
  ['src/server/calendar/calendar.ts', '#server/push/push.ts'],
  ['src/server/db/migrate.ts', '../http/errors.ts'],
  ['src/web/lib/money.ts', '#web/data/server/client.ts'],
  ['src/web/ui/button.tsx', '#web/data/server/client.ts'],
  ['src/web/ui/button.tsx', '#web/features/deals/board.tsx'],
  ['src/web/data/server/client.ts', '#web/features/deals/board.tsx'],
  ['src/web/data/server/client.ts', '#web/ui/toast.ts'],
  ['src/web/data/server/client.ts', '#server/config.ts'],
  ['src/web/data/browser/lock.ts', '#web/data/server/client.ts'],
  ['src/web/data/server/client.ts', '#web/data/session/session.ts'],
  ['src/web/data/session/session.ts', '#web/data/store/collection.ts'],
  ['src/web/data/store/collection.ts', '#web/data/changes/mutate.ts'],
  ['src/web/data/changes/sender.ts', '#web/data/sync/pull.ts'],
  ['src/web/data/sync/pull.ts', '#web/data/query/view.ts'],
  ['src/web/data/query/view.ts', '#web/data/people/brands.ts'],
  ['src/web/data/people/brands.ts', '#web/data/deals.ts'],
  ['src/web/data/store/collection.ts', '#web/data/deals.ts'],
  ['src/web/data/store/collection.ts', '../sync/pull.ts'],
  ['src/web/data/deals.ts', '#web/features/deals/board.tsx'],
  ['src/web/ui/button.tsx', '#web/data/deals.ts'],
  ['src/web/ui/button.tsx', '#web/crm/record-link.tsx'],
  ['src/web/ui/panel/button.tsx', '../../crm/record-link.tsx'],
  ['src/web/lib/money.ts', '#web/crm/record-link.tsx'],
  ['src/web/data/deals.ts', '#web/crm/record-link.tsx'],
  ['src/web/data/server/client.ts', '#web/crm/record-link.tsx'],
  ['src/web/crm/record-link.tsx', '#web/features/deals/board.tsx'],
  ['src/web/crm/record-link.tsx', '../features/deals/board.tsx'],
  ['src/web/crm/record-link.tsx', '#web/pages/deals.tsx'],
  ['src/web/crm/record-link.tsx', '@supabase/supabase-js'],
  ['src/web/features/deals/board.tsx', '#web/features/contacts/list.tsx'],
  ['src/web/features/deals/board.tsx', '../contacts/list.tsx'],
  ['src/web/features/contacts/import/parse.ts', '../../deals/board.tsx'],
  ['src/web/features/deals/board.tsx', '#web/pages/deals.tsx'],
  ['src/web/features/deals/board.tsx', '@supabase/supabase-js'],
  ['src/web/features/deals/board.tsx', '#server/config.ts'],
  ['src/web/pages/deals.tsx', '#web/routes.tsx'],
  ['src/web/pages/deals.tsx', '@supabase/supabase-js'],
  ['src/web/routes.tsx', '#web/main.tsx'],
  ['src/web/main.tsx', '#server/config.ts'],
]

/** Imports that the import law permits. The linter must report none of them. */
const permittedImports: [file: string, specifier: string][] = [
  ['src/web/features/deals/board.tsx', '#web/data/deals.ts'],
  ['src/web/features/deals/board.tsx', '#web/ui/button.tsx'],
  ['src/web/features/deals/board.tsx', '#web/crm/record-link.tsx'],
  ['src/web/features/deals/board.tsx', './card.tsx'],
  ['src/web/pages/deals.tsx', '#web/crm/record-link.tsx'],
  ['src/web/crm/record-link.tsx', '#web/data/deals.ts'],
  ['src/web/crm/record-link.tsx', '#web/ui/button.tsx'],
  ['src/web/pages/deals.tsx', '#web/features/deals/board.tsx'],
  ['src/web/data/server/client.ts', '@supabase/supabase-js'],
  ['src/web/data/deals.ts', '#web/data/changes/mutate.ts'],
  ['src/web/data/people/people.ts', '#web/data/query/view.ts'],
  ['src/server/rest/plan.ts', '#server/db/as-caller.ts'],
  ['src/server/auth/sign-in.ts', '#server/http/errors.ts'],
]

const root = process.cwd()
let scratch: string

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'import-law-'))
  for (const file of ['biome.json', 'import-law.json', 'package.json', '.gitignore'])
    copyFileSync(join(root, file), join(scratch, file))
  execFileSync('git', ['init', '-q', scratch])
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

describe('the import law', () => {
  it('the import law refuses every violation and no permitted import', () => {
    for (const [index, [file, specifier]] of [...violations, ...permittedImports].entries()) {
      writeScratchFile(withCaseNumber(file, index), `import '${specifier}'\n`)
    }
    const refusals = lintFindings().filter(({ rule }) => rule === 'lint/style/noRestrictedImports')
    const files = new Set(refusals.map(({ file }) => file))
    const missed = violations.filter(([file], index) => !files.has(withCaseNumber(file, index)))
    const wronglyRefused = permittedImports.filter(([file], index) =>
      files.has(withCaseNumber(file, violations.length + index)),
    )
    expect({ missed, wronglyRefused }).toEqual({ missed: [], wronglyRefused: [] })
  })

  it('the import law refuses a cycle', () => {
    writeScratchFile('src/web/data/one.ts', "import { two } from './two.ts'\nexport const one = () => two\n")
    writeScratchFile('src/web/data/two.ts', "import { one } from '#web/data/one.ts'\nexport const two = () => one\n")
    const files = lintFindings().filter(({ rule }) => rule === 'lint/suspicious/noImportCycles')
    expect(files.map(({ file }) => file).sort()).toEqual(['src/web/data/one.ts', 'src/web/data/two.ts'])
  })

  it('the import law refuses a barrel', () => {
    writeScratchFile('src/web/ui/all.ts', "export { one } from './one.ts'\nexport { two } from './two.ts'\n")
    expect(
      lintFindings().some(({ rule, file }) => rule === 'lint/performance/noBarrelFile' && file.endsWith('all.ts')),
    ).toBe(true)
  })

  it('the import law refuses a file name that is not kebab-case', () => {
    writeScratchFile('src/web/ui/DealCard.tsx', 'export const card = 1\n')
    expect(lintFindings().some(({ rule }) => rule === 'lint/style/useFilenamingConvention')).toBe(true)
  })
})

describe('the design system', () => {
  it('the design system contains no product noun', () => {
    expect(productNounsIn(uiFiles())).toEqual([])
  })

  it('the design system may not have a product noun in an identifier, an import, a file name or a text on screen', () => {
    const samples: [file: string, source: string, noun: string][] = [
      ['src/web/ui/deal-card.tsx', 'export const card = 1', 'deal'],
      ['src/web/ui/card.tsx', 'export const recordKey = 1', 'record'],
      ['src/web/ui/card.tsx', 'export function StageBadge() {}', 'stage'],
      ['src/web/ui/card.tsx', 'export interface CardProps { brandId: string }', 'brand'],
      ['src/web/ui/card.tsx', 'export type Kind = Members', 'members'],
      ['src/web/ui/card.tsx', "import { one } from './contact-row.ts'", 'contact'],
      ['src/web/ui/card.tsx', 'export const Card = () => <TaskRow />', 'task'],
      ['src/web/ui/card.tsx', 'export const Card = () => <p>No owner</p>', 'owner'],
      ['src/web/ui/card.tsx', "export const title = 'All companies'", 'companies'],
      ['src/web/ui/card.tsx', 'export const title = `${1} deals`', 'deals'],
    ]
    for (const [file, source, noun] of samples)
      expect(productNounsIn([{ file, source }]), source).toEqual([expect.stringContaining(`: ${noun}`)])
  })

  it('the design system may use a product noun in a comment, and the type Record', () => {
    const source =
      "/** 'Search contacts…' */\nexport const sizes: Record<string, string> = {}\nexport const remembered = 1"
    expect(productNounsIn([{ file: 'src/web/ui/card.tsx', source }])).toEqual([])
  })
})

describe('the server', () => {
  it('the server contains no product noun', () => {
    const files = execFileSync('git', ['ls-files', 'src/server'], { encoding: 'utf8' }).split('\n').filter(Boolean)
    expect(files.length).toBeGreaterThan(10)
    const nouns = /\b(deals?|deal_stages?|contacts?|compan(?:y|ies)|memberships?|brand_id|brands?)\b/i
    const filesWithNouns = files.filter((file) => nouns.test(readFileSync(join(root, file), 'utf8')))
    expect(filesWithNouns).toEqual([])
  })
})

function writeScratchFile(file: string, content: string) {
  mkdirSync(dirname(join(scratch, file)), { recursive: true })
  writeFileSync(join(scratch, file), content)
}

/**
 * Adds the number of the case to the file name, so that the report distinguishes the cases. routes.tsx and main.tsx keep their
 * names, because rules match them by name.
 */
function withCaseNumber(file: string, index: number) {
  return /(routes|main)\.tsx$/.test(file) ? file : file.replace(/(\.tsx?)$/, `-case${index}$1`)
}

function lintFindings(): { file: string; rule: string }[] {
  const biome = join(root, 'node_modules/.bin/biome')
  const args = ['lint', '--reporter=json', '--max-diagnostics=none', '.']
  let output: string
  try {
    output = execFileSync(biome, args, { cwd: scratch, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch (error) {
    output = (error as { stdout: string }).stdout
  }
  const report = JSON.parse(output) as {
    diagnostics: { category: string; location: { path: string | { file: string } } }[]
  }
  return report.diagnostics.map(({ category, location }) => ({
    rule: category,
    file: typeof location.path === 'string' ? location.path : location.path.file,
  }))
}
