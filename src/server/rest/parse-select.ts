import { refusal } from '#server/http/errors.ts'
import { maxEmbedDepth } from './limits.ts'
import { parseJsonPath } from './parse-field.ts'
import type { SelectItem } from './request.ts'
import { Scanner } from './scanner.ts'

/**
 * Parses a list of `alias:column::cast`, `*` and `alias:relation!hint!inner(…)`, which may be nested
 * (docs/supabase-protocol.md, section 3). An empty text means all columns. Throws PGRST100 for a syntax error, PGRST123 for
 * aggregates, PGRST127 for spreads.
 */
export function parseSelect(text: string): SelectItem[] {
  const scanner = new Scanner(text, 'select parameter')
  scanner.skipSpaces()
  if (scanner.isAtEnd) return [{ kind: 'all' }]
  const items = parseItems(scanner, 0)
  scanner.end()
  return items
}

function parseItems(scanner: Scanner, depth: number): SelectItem[] {
  if (depth > maxEmbedDepth) scanner.fail(`at most ${maxEmbedDepth} levels of embedding`)
  const items: SelectItem[] = []
  do {
    items.push(parseItem(scanner, depth))
    scanner.skipSpaces()
  } while (scanner.take(','))
  return items
}

function parseItem(scanner: Scanner, depth: number): SelectItem {
  scanner.skipSpaces()
  if (scanner.take('*')) return { kind: 'all' }
  if (scanner.take('...')) throw refusal('PGRST127', { details: 'Spread embeds are not served' })
  let name = scanner.name('a column, a relation or *')
  let alias: string | null = null
  if (scanner.peek() === ':' && !scanner.text.startsWith('::', scanner.position)) {
    scanner.take(':')
    alias = name
    name = scanner.name('a column or a relation')
  }
  const { hint, isInner, hasHints } = parseHints(scanner)
  if (scanner.take('(')) {
    if (name === 'count' && scanner.take(')')) throw refusal('PGRST123')
    return { kind: 'embed', target: name, alias, hint, isInner, items: parseEmbedded(scanner, depth) }
  }
  if (hasHints) scanner.fail('"("')
  const path = parseJsonPath(scanner)
  const cast = scanner.take('::') ? scanner.name('a type') + (scanner.take('[]') ? '[]' : '') : null
  if (scanner.match(aggregatePattern)) throw refusal('PGRST123')
  return { kind: 'field', field: { column: name, path }, alias, cast }
}

function parseEmbedded(scanner: Scanner, depth: number): SelectItem[] {
  scanner.skipSpaces()
  if (scanner.take(')')) return []
  const items = parseItems(scanner, depth + 1)
  scanner.expect(')')
  return items
}

/**
 * Parses `!hint`, `!inner` and `!left` after an embedded resource's name, in any order. `left` is the default. `hasHints`
 * says whether at least one of them was found.
 */
function parseHints(scanner: Scanner): { hint: string | null; isInner: boolean; hasHints: boolean } {
  let hint: string | null = null
  let isInner = false
  let hasHints = false
  while (scanner.take('!')) {
    hasHints = true
    const word = scanner.name('a hint')
    if (word === 'inner') isInner = true
    else if (word !== 'left') hint = word
  }
  return { hint, isInner, hasHints }
}

const aggregatePattern = /\.(?:count|sum|avg|min|max)\(\)/y
