import type { Change } from './mutant.ts'
import type { Token } from './scan-sql.ts'

/** PL/pgSQL statements that can be removed. */
const removable = new Set(['raise', 'perform', 'insert', 'update', 'delete', 'execute', 'with'])

/** Words after which a statement starts. */
const openers = new Set([';', 'begin', 'then', 'else', 'loop'])

/**
 * Returns changes that make conditions of `if`, `elsif` and `case when` always true or always false, remove statements, or
 * replace `return new` by `return null`.
 */
export function conditionsAndStatements(tokens: readonly Token[]): Change[] {
  const changes: Change[] = []
  const isFunction = tokens.some(({ text }) => text === 'begin')
  /** The word after each `case` whose `end` comes later than the current token, outermost first. It is 'when' if the `case` compares no value. */
  const wordsAfterOpenCases: string[] = []
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1]?.text ?? ';'
    if (token.text === 'case' && before !== 'end') wordsAfterOpenCases.push(tokens[index + 1]?.text ?? '')
    if (token.text === 'end' && wordsAfterOpenCases.length > 0) wordsAfterOpenCases.pop()
    const isStart = isFunction && wordsAfterOpenCases.length === 0 && openers.has(before)
    const isCondition =
      (token.text === 'if' && isStart) ||
      token.text === 'elsif' ||
      (token.text === 'when' && wordsAfterOpenCases.at(-1) === 'when' && before !== 'exception')
    if (isCondition) changes.push(...conditions(tokens, index))
    if (isStart && removable.has(token.text)) {
      const end = endOf(tokens, index, ';')
      if (end) changes.push({ start: token.start, end: end.start, to: 'null' })
    }
    if (token.text === 'return' && tokens[index + 1]?.text === 'new' && tokens[index + 2]?.text === ';')
      changes.push({ start: token.start, end: tokens[index + 1]?.end ?? token.end, to: 'return null' })
  }
  return changes
}

function conditions(tokens: readonly Token[], index: number): Change[] {
  const first = tokens[index + 1]
  const then = endOf(tokens, index, 'then')
  const last = then && tokens[tokens.indexOf(then) - 1]
  if (!first || !last) return []
  return ['true', 'false']
    .filter((to) => first !== last || first.text !== to)
    .map((to) => ({ start: first.start, end: last.end, to }))
}

/** Returns the next token with this text, outside of parentheses and of nested `case` expressions. */
function endOf(tokens: readonly Token[], index: number, text: string): Token | undefined {
  let depth = 0
  for (let at = index + 1; at < tokens.length; at++) {
    const token = tokens[at]
    if (token?.text === '(' || token?.text === 'case') depth++
    else if (token?.text === ')' || (token?.text === 'end' && depth > 0)) depth--
    else if (depth === 0 && token?.text === text) return token
  }
  return undefined
}
