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
 * Whether an answer that was requested in the state `before` must not be stored, because no later pull would report that one of its rows was deleted:
 * all rows of the table have been pulled since, or the server has a new epoch.
 */
export function isAnswerOutdated(before: BrandState, now: BrandState, table: TableName): boolean {
  if (before.epoch !== null && before.epoch !== now.epoch) return true
  return isComplete(now, table) && !isComplete(before, table)
}

/** Whether all rows of a table are on this device. */
export function isComplete(state: BrandState, table: TableName): boolean {
  return state.tables[table]?.complete === true
}
