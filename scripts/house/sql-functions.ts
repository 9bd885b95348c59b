import { scanSql } from '../mutants/scan-sql.ts'

/**
 * Returns the functions that `create function` or `create or replace function` names more than once, because a reader has to find the last
 * definition. `texts`: the migrations. Overloads count too, because only names are compared.
 */
export function functionsDefinedTwice(texts: readonly string[]): string[] {
  const times = new Map<string, number>()
  for (const name of texts.flatMap(definedIn)) times.set(name, (times.get(name) ?? 0) + 1)
  return [...times]
    .filter(([, count]) => count > 1)
    .map(([name, count]) => `${name} (${count} times)`)
    .toSorted()
}

function definedIn(text: string): string[] {
  const words = scanSql(text).map(({ text: word }) => word)
  return words.flatMap((word, at) => {
    if (word !== 'create') return []
    const next = words[at + 1] === 'or' && words[at + 2] === 'replace' ? at + 3 : at + 1
    if (words[next] !== 'function' && words[next] !== 'procedure') return []
    const [first = '', dot, second = ''] = words.slice(next + 1, next + 4)
    return [dot === '.' ? `${first}.${second}` : first]
  })
}
