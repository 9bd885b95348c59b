import { maxOrderTerms } from './limits.ts'
import { parseJsonPath } from './parse-field.ts'
import type { OrderTerm } from './request.ts'
import { Scanner } from './scanner.ts'

/**
 * Parses the parameter `order`, such as `a.asc.nullslast,b.desc,data->>c,author(name).desc` (docs/supabase-protocol.md,
 * section 3). Throws PGRST100 if it is not valid.
 */
export function parseOrder(text: string): OrderTerm[] {
  const scanner = new Scanner(text, 'order')
  const terms: OrderTerm[] = []
  do {
    if (terms.length === maxOrderTerms) scanner.fail(`at most ${maxOrderTerms} columns to order by`)
    terms.push(parseTerm(scanner))
  } while (scanner.take(','))
  scanner.end()
  return terms
}

function parseTerm(scanner: Scanner): OrderTerm {
  let column = scanner.name('a column name')
  let relation: string | null = null
  if (scanner.take('(')) {
    relation = column
    column = scanner.name('a column name')
  }
  const path = parseJsonPath(scanner)
  if (relation !== null) scanner.expect(')')
  const term: OrderTerm = { relation, field: { column, path }, direction: null, nulls: null }
  while (scanner.take('.')) {
    const word = scanner.match(/[a-z]+/y)
    if (word === 'asc' || word === 'desc') term.direction = word
    else if (word === 'nullsfirst') term.nulls = 'first'
    else if (word === 'nullslast') term.nulls = 'last'
    else scanner.fail('asc, desc, nullsfirst or nullslast')
  }
  scanner.skipSpaces()
  return term
}
