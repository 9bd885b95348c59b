import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { securityBreaks } from './security/breaks.ts'
import { breaks } from './spec/breaks.ts'

test.each([
  ['of the specification', breaks],
  ['of the defences', securityBreaks],
])('each break %s changes one place of the code as it is now', (_, all) => {
  expect(all.length).toBeGreaterThan(30)
  const lost = all.filter(({ file, from }) => !existsSync(file) || readFileSync(file, 'utf8').split(from).length !== 2)
  expect(lost.map(({ file, from }) => `${file}: ${from}`)).toEqual([])
})

const migrations = 'supabase/migrations'

/** The function of a migration inside of which a text stands. */
function functionAround(text: string, part: string): string | undefined {
  const before = text.slice(0, text.indexOf(part) + part.length)
  const header = [...before.matchAll(/^create (?:or replace )?function ([a-z_.]+)\(/gm)].at(-1)
  return header && !before.slice(header.index, text.indexOf(part)).includes('\n$$;') ? header[1] : undefined
}

test('a break of a function of SQL changes its last definition: what a later migration replaced defends nothing', () => {
  const files = readdirSync(migrations).toSorted()
  const texts = new Map(files.map((file) => [`${migrations}/${file}`, readFileSync(`${migrations}/${file}`, 'utf8')]))
  const replaced = [...breaks, ...securityBreaks].flatMap(({ file, from }) => {
    const name = functionAround(texts.get(file) ?? '', from)
    if (name === undefined) return []
    const defines = new RegExp(`^create (or replace )?function ${name.replace('.', '\\.')}\\(`, 'm')
    const last = [...texts].filter(([, text]) => defines.test(text)).at(-1)?.[0]
    return last === file ? [] : [`${name}: ${file}, newer ${last}`]
  })
  expect(replaced).toEqual([])
})
