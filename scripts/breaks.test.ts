import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { securityBreaks } from './security/breaks.ts'
import { breaks } from './spec/breaks.ts'

/** A break is a planted change of the code: `from` is replaced by `to`, and a test must then fail. */
test.each([
  ['of the specification', breaks],
  ['of the defences', securityBreaks],
])('each break %s matches the current code exactly once', (_, breaksOfKind) => {
  expect(breaksOfKind.length).toBeGreaterThan(30)
  const unmatched = breaksOfKind.filter(
    ({ file, from }) => !existsSync(file) || readFileSync(file, 'utf8').split(from).length !== 2,
  )
  expect(unmatched.map(({ file, from }) => `${file}: ${from}`)).toEqual([])
})

const placeholder = /%[sjdo]|\$\w+|\$\{[^}]*\}/

/**
 * Returns whether a test file contains this text, or a title with placeholders (such as %s) that may become this text. A placeholder stands for any
 * text, so only the parts between placeholders are compared. One part must match at least eight characters: the text contains the whole part, or
 * begins with the last characters of the part.
 */
function hasTitle(file: string, text: string): boolean {
  const source = readFileSync(file, 'utf8')
  if (source.includes(text)) return true
  const fixedParts = source
    .split('\n')
    .filter((line) => placeholder.test(line))
    .flatMap((line) => line.split(/['`]/).filter((part) => placeholder.test(part)))
    .flatMap((title) => title.split(placeholder))
  return fixedParts.some((part) => {
    if (part.trim().length >= 8 && text.includes(part.trim())) return true
    return Array.from({ length: Math.max(0, part.length - 7) }, (_, from) => part.slice(from)).some((ending) =>
      text.startsWith(ending),
    )
  })
}

test('each break of the defences names a test that exists', () => {
  const breaksWithoutTest = securityBreaks.filter(({ test: file, title }) => !hasTitle(file, title))
  expect(breaksWithoutTest.map(({ test: file, title }) => `${file}: ${title}`)).toEqual([])
})

const migrations = 'supabase/migrations'

/** Returns the name of the SQL function that contains `part` in the text of a migration. Undefined if no function contains it. */
function functionAround(text: string, part: string): string | undefined {
  const before = text.slice(0, text.indexOf(part) + part.length)
  const header = [...before.matchAll(/^create (?:or replace )?function ([a-z_.]+)\(/gm)].at(-1)
  return header && !before.slice(header.index, text.indexOf(part)).includes('\n$$;') ? header[1] : undefined
}

test('a break of an SQL function changes its last definition, not one that a later migration replaced', () => {
  const files = readdirSync(migrations).toSorted()
  const texts = new Map(files.map((file) => [`${migrations}/${file}`, readFileSync(`${migrations}/${file}`, 'utf8')]))
  const replacedFunctions = [...breaks, ...securityBreaks].flatMap(({ file, from }) => {
    const name = functionAround(texts.get(file) ?? '', from)
    if (name === undefined) return []
    const defines = new RegExp(`^create (or replace )?function ${name.replace('.', '\\.')}\\(`, 'm')
    const lastFile = [...texts].filter(([, text]) => defines.test(text)).at(-1)?.[0]
    return lastFile === file ? [] : [`${name}: ${file}, newer ${lastFile}`]
  })
  expect(replacedFunctions).toEqual([])
})
