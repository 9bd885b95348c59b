import type { Change } from './mutant.ts'
import { changedNumber, changedSqlText } from './change-values.ts'
import { scanSql, type Token } from './scan-sql.ts'
import { conditionsAndStatements } from './change-sql-statements.ts'

const operators = new Map(
  Object.entries({
    '=': '<>',
    '<>': '=',
    '!=': '=',
    '<': '<=',
    '<=': '<',
    '>': '>=',
    '>=': '>',
    '+': '-',
    '-': '+',
  }),
)

const words = new Map(
  Object.entries({
    and: 'or',
    or: 'and',
    true: 'false',
    false: 'true',
    asc: 'desc',
    desc: 'asc',
    min: 'max',
    max: 'min',
    greatest: 'least',
    least: 'greatest',
  }),
)

/**
 * Replacements in comparisons with the current time. They reverse the comparison, because no test can hit the exact microsecond at which
 * `<` and `<=` differ.
 */
const reversed = new Map(Object.entries({ '<': '>', '>': '<', '<=': '>=', '>=': '<=' }))

/** Returns the changes of a statement or of a function's body: operators, words, values, conditions, whole statements. */
export function changesOfSql(text: string): Change[] {
  const tokens = scanSql(text)
  const assigned = assignments(tokens)
  const changes: Change[] = []
  const put = (token: Token, to: string, last = token) => changes.push({ start: token.start, end: last.end, to })
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1]?.text
    const next = tokens[index + 1]
    if (token.kind === 'operator' && !assigned.has(index)) {
      const to = isMoment(next) ? reversed.get(token.text) : operators.get(token.text)
      if (to && !isSign(token, tokens[index - 1])) put(token, to)
    }
    if (token.kind === 'word') {
      const to = words.get(token.text)
      if (to && !(token.text === 'and' && isBetween(tokens, index))) put(token, to)
      if (token.text === 'not' && before === 'is') put(token, '')
      else if (token.text === 'not' && next) put(token, '', token)
      if (token.text === 'is' && next && next.text !== 'not') put(token, 'is not')
      if (token.text === 'exists' && before !== 'not' && before !== 'if') put(token, 'not exists')
      if (token.text === 'left' && next?.text === 'join') put(token, '')
    }
    if (token.kind === 'number') for (const to of changedNumber(token.text)) put(token, to)
    if (token.kind === 'string' && before !== '->' && before !== '->>')
      for (const to of changedSqlText(token.text)) put(token, to)
  }
  return [...changes, ...conditionsAndStatements(tokens)]
}

/** Returns the indexes of `=` that assign a value (`set a = 1`, `using errcode = '22000'`) and do not compare. */
function assignments(tokens: readonly Token[]): Set<number> {
  const found = new Set<number>()
  const setters: number[] = []
  let depth = 0
  for (const [index, { text, kind }] of tokens.entries()) {
    if (text === '(') depth++
    if (text === ')') depth--
    while (setters.length > 0 && depth < (setters.at(-1) ?? 0)) setters.pop()
    const isOpen = setters.at(-1) === depth
    if (text === 'set' || (text === 'using' && tokens[index + 2]?.text === '=')) setters.push(depth)
    else if (isOpen && (text === ';' || (kind === 'word' && /^(where|from|returning)$/.test(text)))) setters.pop()
    else if (isOpen && text === '=') found.add(index)
  }
  return found
}

function isBetween(tokens: readonly Token[], index: number): boolean {
  let depth = 0
  for (let at = index - 1; at >= 0; at--) {
    const text = tokens[at]?.text
    if (text === ')') depth++
    if (text === '(' && --depth < 0) return false
    if (depth > 0) continue
    if (text === 'between') return true
    if (text === 'and' || text === 'or' || text === 'where' || text === 'if' || text === ';') return false
  }
  return false
}

function isMoment(next: Token | undefined): boolean {
  return next !== undefined && /^(now|clock_timestamp|statement_timestamp)$/.test(next.text)
}

function isSign(token: Token, before: Token | undefined): boolean {
  if (token.text !== '-' && token.text !== '+') return false
  return !before || before.kind === 'operator' || before.text === '(' || before.text === ',' || before.text === 'limit'
}
