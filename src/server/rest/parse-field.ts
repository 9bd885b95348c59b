import { maxJsonSteps } from './limits.ts'
import type { Field, JsonStep } from './request.ts'
import type { Scanner } from './scanner.ts'

/** Parses a column's name and its JSON path: `data->address->>street`, `tags->0`. */
export function parseField(scanner: Scanner): Field {
  return { column: scanner.name('a column name'), path: parseJsonPath(scanner) }
}

/** Parses a JSON path. Returns an empty list if there is no path at this position. */
export function parseJsonPath(scanner: Scanner): JsonStep[] {
  const path: JsonStep[] = []
  while (scanner.take('->')) {
    if (path.length === maxJsonSteps) scanner.fail(`at most ${maxJsonSteps} steps into JSON`)
    const arrow = scanner.take('>') ? '->>' : '->'
    const index = scanner.match(indexPattern)
    path.push({ arrow, key: index === null ? scanner.name('a JSON key') : Number(index) })
    if (arrow === '->>') break
  }
  return path
}

/** The index of an array, followed by the end of the step. The digits fit into an int4. */
const indexPattern = /-?\d{1,9}(?=$|[-,:.)])/y
