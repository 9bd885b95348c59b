import type { Mode } from './modes.ts'
import type { TableName } from '#web/data/server/tables.ts'

/** Says how complete and how recent the rows of a brand on this device are. It is stored with the rows, so that all tabs have the same state. */
export interface BrandState {
  brandId: string
  /** The epoch to which the cursor belongs. If the server has another epoch, everything is pulled again. Null before the first pull. */
  epoch: string | null
  cursor: string | null
  tables: Partial<Record<TableName, { mode: Mode; complete: boolean }>>
  /** The number of rows on the server, by table, from the last pull that returned it. */
  counts: Partial<Record<TableName, number>>
}

/** Returns the state of a brand that has no rows on this device. */
export function newBrandState(brandId: string): BrandState {
  return { brandId, epoch: null, cursor: null, tables: {}, counts: {} }
}

/**
 * Whether an answer is outdated and must not be stored. `before`: the state when the answer was requested. `now`: the current state. An answer is
 * outdated if all rows of the table have been pulled since the request, or if the server has a new epoch: if one of the answer's rows was deleted
 * meanwhile, no later pull would report the deletion.
 */
export function isAnswerOutdated(before: BrandState, now: BrandState, table: TableName): boolean {
  if (before.epoch !== null && before.epoch !== now.epoch) return true
  return isComplete(now, table) && !isComplete(before, table)
}

/** Whether all rows of a table are on this device. */
export function isComplete(state: BrandState, table: TableName): boolean {
  return state.tables[table]?.complete === true
}
