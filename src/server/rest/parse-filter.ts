import { comparisonOperators, quantifiableOperators, textSearchFunctions } from './operators.ts'
import { parseField } from './parse-field.ts'
import type { Condition, LogicTree, FilterTest, Value } from './request.ts'
import { Scanner } from './scanner.ts'

const maxFilterDepth = 32

/**
 * Parses the operator in front of a filter's value: `not.eq.` of `column=not.eq.5`. Returns whether the operator is negated,
 * and the function `test`, which creates the filter's test for the value in a given slot. Returns null if `text` is not an
 * operator.
 */
export function parseOperator(text: string): { negated: boolean; test: (value: Value['from']) => FilterTest } | null {
  const scanner = new Scanner(text, 'filter')
  const negated = scanner.take('not.')
  const test = scanOperator(scanner)
  return test && scanner.isAtEnd ? { negated, test } : null
}

/** Parses the filters `is.null`, `is.true` and so on, whose value is part of the operator. Returns null for other text. */
export function parseIs(text: string): { negated: boolean; test: FilterTest } | null {
  const match = /^(not\.)?is\.(null|not_null|true|false|unknown)$/i.exec(text)
  if (!match) return null
  return { negated: match[1] !== undefined, test: testOfIs(match[2] ?? '') }
}

/**
 * Parses the logic tree after `or=` or `and=`, such as `(a.eq.1,and(b.gt.2,c.not.is.null),not.or(…))`. Throws PGRST100 if
 * it is not valid.
 */
export function parseLogic(kind: 'and' | 'or', negated: boolean, text: string): LogicTree {
  const scanner = new Scanner(text, 'logic tree')
  const tree: LogicTree = { kind, negated, terms: parseTerms(scanner, 0) }
  scanner.end()
  return tree
}

function parseTerms(scanner: Scanner, depth: number): Condition[] {
  if (depth > maxFilterDepth) scanner.fail(`at most ${maxFilterDepth} levels`)
  const terms: Condition[] = []
  scanner.expect('(')
  do terms.push(parseTerm(scanner, depth))
  while (scanner.take(','))
  scanner.expect(')')
  return terms
}

function parseTerm(scanner: Scanner, depth: number): Condition {
  scanner.skipSpaces()
  const word = scanner.match(/(?:not\.)?(?:and|or)(?=\()/y)
  if (word !== null) {
    const negated = word.startsWith('not.')
    const term: LogicTree = {
      kind: word.endsWith('and') ? 'and' : 'or',
      negated,
      terms: parseTerms(scanner, depth + 1),
    }
    scanner.skipSpaces()
    return term
  }
  const field = parseField(scanner)
  scanner.expect('.')
  const negated = scanner.take('not.')
  if (scanner.take('is.')) {
    const what = scanner.match(/(?:null|not_null|true|false|unknown)(?=[,) ])/iy)
    if (what === null) scanner.fail('null, not_null, true, false or unknown')
    return { kind: 'filter', field, negated, test: testOfIs(what) }
  }
  const test = scanOperator(scanner)
  if (!test) return scanner.fail('an operator (eq, gt, …)')
  const value = test('').kind === 'in' ? listText(scanner) : valueText(scanner)
  scanner.skipSpaces()
  return { kind: 'filter', field, negated, test: test(value) }
}

/**
 * Scans an operator and the dot after it. Returns the function that creates the operator's test for a value. If the scanner
 * is not at an operator, returns null and does not move the scanner.
 */
function scanOperator(scanner: Scanner): ((from: Value['from']) => FilterTest) | null {
  const start = scanner.position
  const name = scanner.match(/[a-z]+/y) ?? ''
  const inParentheses = scanner.match(/\([A-Za-z_]{1,63}\)/y)?.slice(1, -1) ?? null
  if (scanner.take('.')) {
    const sqlFunction = textSearchFunctions.get(name)
    if (sqlFunction)
      return (from) => ({ kind: 'search', sqlFunction, language: inParentheses, value: { from, as: 'text' } })
    if (name === 'in' && inParentheses === null) return (from) => ({ kind: 'in', value: { from, as: 'list' } })
    const quantifier = inParentheses === 'any' || inParentheses === 'all' ? inParentheses : null
    const sqlOperator = comparisonOperators.get(name)
    const isAllowed = inParentheses === null || (quantifier !== null && quantifiableOperators.has(name))
    if (sqlOperator && isAllowed) {
      const as = name === 'like' || name === 'ilike' ? 'pattern' : 'text'
      return (from) => ({ kind: 'compare', operator: sqlOperator, quantifier, value: { from, as } })
    }
  }
  scanner.position = start
  return null
}

function testOfIs(word: string): FilterTest {
  const what = word.toLowerCase().replace('_', ' ')
  if (what === 'null' || what === 'not null' || what === 'true' || what === 'false') return { kind: 'is', what }
  return { kind: 'is', what: 'unknown' }
}

/**
 * Scans the value of a filter inside `and` or `or`. A value that starts with a brace (an array or a JSON object) ends at
 * the matching brace. Any other value is read by `Scanner.element`.
 */
function valueText(scanner: Scanner): string {
  return scanner.peek() === '{' ? bracedText(scanner) : scanner.element()
}

function bracedText(scanner: Scanner): string {
  const start = scanner.position
  let depth = 0
  do {
    if (scanner.isAtEnd) scanner.fail('"}"')
    if (scanner.peek() === '"') {
      scanner.quoted()
      continue
    }
    const char = scanner.text.charAt(scanner.position++)
    if (char === '{') depth++
    if (char === '}') depth--
  } while (depth > 0)
  return scanner.text.slice(start, scanner.position)
}

/** Scans a list of values and returns its text with the parentheses: `(a,"b,c")`. A value with a comma or `)` must be quoted. */
function listText(scanner: Scanner): string {
  const start = scanner.position
  scanner.expect('(')
  do scanner.element()
  while (scanner.take(','))
  scanner.expect(')')
  return scanner.text.slice(start, scanner.position)
}
