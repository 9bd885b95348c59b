import type { Operation } from '#web/data/store/operation.ts'
import { isIdSetField, mergedSet } from '#web/data/store/set-edit.ts'

/**
 * Returns the values that an update should write to the current row. In a set of ids, only the additions and removals of this user are
 * applied to the current ids.
 */
export function withMergedSets(
  { values, base }: Pick<Operation, 'values' | 'base'>,
  currentRow: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => [
      field,
      isIdSetField(field) ? mergedSet(base[field], value, currentRow[field]) : value,
    ]),
  )
}
