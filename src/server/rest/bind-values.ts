import { Scanner } from './scanner.ts'
import type { Value } from './request.ts'

/**
 * Returns the parameters of a statement: constants of the plan, and texts from the slots of this request. Throws PGRST100
 * for a malformed `in` list.
 */
export function bindValues(values: readonly Value[], slots: readonly string[]): string[] {
  return values.map(({ from, as, prefix }) => {
    const slot = typeof from === 'number' ? (slots[from] ?? '') : from
    const text = prefix === undefined ? slot : prefix + slot
    if (as === 'pattern') return text.replaceAll('*', '%')
    return as === 'list' ? arrayLiteral(text) : text
  })
}

/** Converts `(a,"b,c")` into a PostgreSQL array literal. Each element is quoted, so that none is read as NULL or split. */
function arrayLiteral(text: string): string {
  const scanner = new Scanner(text, 'filter')
  scanner.expect('(')
  if (scanner.take(')')) {
    scanner.end()
    return '{}'
  }
  const elements: string[] = []
  do {
    scanner.skipSpaces()
    elements.push(scanner.element())
  } while (scanner.take(','))
  scanner.expect(')')
  scanner.end()
  return `{${elements.map((element) => `"${element.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}
