import type { Change } from './mutant.ts'
import type { Token } from './scan-sql.ts'

/** Statements of PL/pgSQL that can be left out whole. */
const removable = new Set(['raise', 'perform', 'insert', 'update', 'delete', 'execute', 'with'])

/** Words after which a statement begins. */
const openers = new Set([';', 'begin', 'then', 'else', 'loop'])

/** `if`, `elsif` and `case when` always and never taken; statements left out; `return new` that drops the row. */
export function conditionsAndStatements(tokens: readonly Token[]): Change[] {
  const changes: Change[] = []
  const isFunction = tokens.some(({ text }) => text === 'begin')
  const cases: string[] = []
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1]?.text ?? ';'
    if (token.text === 'case' && before !== 'end') cases.push(tokens[index + 1]?.text ?? '')
    if (token.text === 'end' && cases.length > 0) cases.pop()
    const isStart = isFunction && cases.length === 0 && openers.has(before)
    const isCondition =
      (token.text === 'if' && isStart) ||
      token.text === 'elsif' ||
      (token.text === 'when' && cases.at(-1) === 'when' && before !== 'exception')
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

/** The next token of this text outside of parentheses and of inner cases. */
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
