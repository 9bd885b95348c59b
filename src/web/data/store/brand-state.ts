import type { Mode } from './modes.ts'
import type { TableName } from '#web/data/server/tables.ts'

/** How complete and how recent a brand's rows on this device are. Stored with the rows; the same in all tabs. */
export interface BrandState {
  brandId: string
  /** The epoch of the cursor. Another epoch on the server means a full pull. Null before the first pull. */
  epoch: string | null
  cursor: string | null
  tables: Partial<Record<TableName, { mode: Mode; complete: boolean }>>
  /** Number of rows on the server, from the last pull that returned it. */
  counts: Partial<Record<TableName, number>>
}

/** The state of a brand without rows on this device. */
export function newBrandState(brandId: string): BrandState {
  return { brandId, epoch: null, cursor: null, tables: {}, counts: {} }
}

/** Whether every row of the table is on this device. */
export function isComplete(state: BrandState, table: TableName): boolean {
  return state.tables[table]?.complete === true
}
