import type { Change } from './mutant.ts'
import type { Token } from './scan-sql.ts'

/** PL/pgSQL statements that can be removed. */
const removableStatements = new Set(['raise', 'perform', 'insert', 'update', 'delete', 'execute', 'with'])

/** Words after which a statement starts. */
const wordsBeforeStatement = new Set([';', 'begin', 'then', 'else', 'loop'])

/**
 * Returns changes that make conditions of `if`, `elsif` and `case when` always true or always false, remove statements, or
 * replace `return new` by `return null`.
 */
export function conditionsAndStatements(tokens: readonly Token[]): Change[] {
  const changes: Change[] = []
  const isPlpgsql = tokens.some(({ text }) => text === 'begin')
  /** The word after each `case` whose `end` comes later than the current token, outermost first. It is 'when' if the `case` compares no value. */
  const wordsAfterOpenCases: string[] = []
  for (const [index, token] of tokens.entries()) {
    const wordBefore = tokens[index - 1]?.text ?? ';'
    if (token.text === 'case' && wordBefore !== 'end') wordsAfterOpenCases.push(tokens[index + 1]?.text ?? '')
    if (token.text === 'end' && wordsAfterOpenCases.length > 0) wordsAfterOpenCases.pop()
    const isStart = isPlpgsql && wordsAfterOpenCases.length === 0 && wordsBeforeStatement.has(wordBefore)
    const isCondition =
      (token.text === 'if' && isStart) ||
      token.text === 'elsif' ||
      (token.text === 'when' && wordsAfterOpenCases.at(-1) === 'when' && wordBefore !== 'exception')
    if (isCondition) changes.push(...conditionChanges(tokens, index))
    if (isStart && removableStatements.has(token.text)) {
      const semicolon = nextToken(tokens, index, ';')
      if (semicolon) changes.push({ start: token.start, end: semicolon.start, to: 'null' })
    }
    if (token.text === 'return' && tokens[index + 1]?.text === 'new' && tokens[index + 2]?.text === ';')
      changes.push({ start: token.start, end: tokens[index + 1]?.end ?? token.end, to: 'return null' })
  }
  return changes
}

function conditionChanges(tokens: readonly Token[], index: number): Change[] {
  const firstToken = tokens[index + 1]
  const thenToken = nextToken(tokens, index, 'then')
  const lastToken = thenToken && tokens[tokens.indexOf(thenToken) - 1]
  if (!firstToken || !lastToken) return []
  return ['true', 'false']
    .filter((to) => firstToken !== lastToken || firstToken.text !== to)
    .map((to) => ({ start: firstToken.start, end: lastToken.end, to }))
}

/** Returns the next token after `index` with this text, outside of parentheses and of nested `case` expressions. */
function nextToken(tokens: readonly Token[], index: number, text: string): Token | undefined {
  let depth = 0
  for (let position = index + 1; position < tokens.length; position++) {
    const token = tokens[position]
    if (token?.text === '(' || token?.text === 'case') depth++
    else if (token?.text === ')' || (token?.text === 'end' && depth > 0)) depth--
    else if (depth === 0 && token?.text === text) return token
  }
  return undefined
}
