import type { Change } from './mutant.ts'
import { changedNumber, changedSqlText } from './change-values.ts'
import { scanSql, type Token } from './scan-sql.ts'
import { conditionsAndStatements } from './change-sql-statements.ts'

const operatorReplacements = new Map(
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

const wordReplacements = new Map(
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
const reversedOperators = new Map(Object.entries({ '<': '>', '>': '<', '<=': '>=', '>=': '<=' }))

/** Returns the changes of a statement or of a function's body: operators, words, values, conditions, whole statements. */
export function changesOfSql(text: string): Change[] {
  const tokens = scanSql(text)
  const assignmentIndexes = indexesOfAssignments(tokens)
  const changes: Change[] = []
  const addChange = (token: Token, to: string, last = token) => changes.push({ start: token.start, end: last.end, to })
  for (const [index, token] of tokens.entries()) {
    const wordBefore = tokens[index - 1]?.text
    const nextToken = tokens[index + 1]
    if (token.kind === 'operator' && !assignmentIndexes.has(index)) {
      const to = isCurrentTime(nextToken) ? reversedOperators.get(token.text) : operatorReplacements.get(token.text)
      if (to && !isUnarySign(token, tokens[index - 1])) addChange(token, to)
    }
    if (token.kind === 'word') {
      const to = wordReplacements.get(token.text)
      if (to && !(token.text === 'and' && isAndOfBetween(tokens, index))) addChange(token, to)
      if (token.text === 'not' && wordBefore === 'is') addChange(token, '')
      else if (token.text === 'not' && nextToken) addChange(token, '', token)
      if (token.text === 'is' && nextToken && nextToken.text !== 'not') addChange(token, 'is not')
      if (token.text === 'exists' && wordBefore !== 'not' && wordBefore !== 'if') addChange(token, 'not exists')
      if (token.text === 'left' && nextToken?.text === 'join') addChange(token, '')
    }
    if (token.kind === 'number') for (const to of changedNumber(token.text)) addChange(token, to)
    if (token.kind === 'string' && wordBefore !== '->' && wordBefore !== '->>')
      for (const to of changedSqlText(token.text)) addChange(token, to)
  }
  return [...changes, ...conditionsAndStatements(tokens)]
}

/** Returns the indexes of `=` that assign a value (`set a = 1`, `using errcode = '22000'`) and do not compare. */
function indexesOfAssignments(tokens: readonly Token[]): Set<number> {
  const indexes = new Set<number>()
  const setDepths: number[] = []
  let depth = 0
  for (const [index, { text, kind }] of tokens.entries()) {
    if (text === '(') depth++
    if (text === ')') depth--
    while (setDepths.length > 0 && depth < (setDepths.at(-1) ?? 0)) setDepths.pop()
    const isOpen = setDepths.at(-1) === depth
    if (text === 'set' || (text === 'using' && tokens[index + 2]?.text === '=')) setDepths.push(depth)
    else if (isOpen && (text === ';' || (kind === 'word' && /^(where|from|returning)$/.test(text)))) setDepths.pop()
    else if (isOpen && text === '=') indexes.add(index)
  }
  return indexes
}

/** True if the `and` at this index belongs to `between … and …`. */
function isAndOfBetween(tokens: readonly Token[], index: number): boolean {
  let depth = 0
  for (let position = index - 1; position >= 0; position--) {
    const text = tokens[position]?.text
    if (text === ')') depth++
    if (text === '(' && --depth < 0) return false
    if (depth > 0) continue
    if (text === 'between') return true
    if (text === 'and' || text === 'or' || text === 'where' || text === 'if' || text === ';') return false
  }
  return false
}

function isCurrentTime(nextToken: Token | undefined): boolean {
  return nextToken !== undefined && /^(now|clock_timestamp|statement_timestamp)$/.test(nextToken.text)
}

function isUnarySign(token: Token, before: Token | undefined): boolean {
  if (token.text !== '-' && token.text !== '+') return false
  return !before || before.kind === 'operator' || before.text === '(' || before.text === ',' || before.text === 'limit'
}
