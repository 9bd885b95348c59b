import { type ColumnMap, targetsOf, withColumn } from './map-columns.ts'

/**
 * Returns the column map `next` with the choices of a person: the fields whose column in `chosen` is another one than in `before`, the map
 * that was shown first.
 */
export function withChoices(next: ColumnMap, before: ColumnMap, chosen: ColumnMap): ColumnMap {
  const targets = new Set([...targetsOf(before), ...targetsOf(chosen)])
  const changed = [...targets].filter((target) => (before[target] ?? -1) !== (chosen[target] ?? -1))
  return changed.reduce((map, target) => withColumn(map, chosen[target] ?? -1, target), next)
}
