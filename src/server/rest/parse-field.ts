import { maxJsonSteps } from './limits.ts'
import type { Field, JsonStep } from './request.ts'
import type { Scanner } from './scanner.ts'

/** Parses the name of a column and the JSON path after it, such as `data->address->>street` or `tags->0`. */
export function parseField(scanner: Scanner): Field {
  return { column: scanner.name('a column name'), path: parseJsonPath(scanner) }
}

/** Parses a JSON path, such as `->address->>street`. Returns an empty list if the scanner is not at a JSON path. */
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

/** Matches the index of an array in a JSON path, if the step ends after it. The digits fit into an int4. */
const indexPattern = /-?\d{1,9}(?=$|->|[,:.)])/y
