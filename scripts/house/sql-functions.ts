import { scanSql } from '../mutants/scan-sql.ts'

/**
 * Returns the functions that `create function` or `create or replace function` names more than once: a reader of such a function has to find its
 * last definition. `texts`: the migrations. Overloads count too, because only names are compared.
 */
export function functionsDefinedTwice(texts: readonly string[]): string[] {
  const countByName = new Map<string, number>()
  for (const name of texts.flatMap(definedIn)) countByName.set(name, (countByName.get(name) ?? 0) + 1)
  return [...countByName]
    .filter(([, count]) => count > 1)
    .map(([name, count]) => `${name} (${count} times)`)
    .toSorted()
}

function definedIn(text: string): string[] {
  const words = scanSql(text).map(({ text: word }) => word)
  return words.flatMap((word, index) => {
    if (word !== 'create') return []
    const kindIndex = words[index + 1] === 'or' && words[index + 2] === 'replace' ? index + 3 : index + 1
    if (words[kindIndex] !== 'function' && words[kindIndex] !== 'procedure') return []
    const [schemaOrName = '', dot, functionName = ''] = words.slice(kindIndex + 1, kindIndex + 4)
    return [dot === '.' ? `${schemaOrName}.${functionName}` : schemaOrName]
  })
}
