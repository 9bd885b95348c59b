import type { Mode } from './modes.ts'
import type { TableName } from '#web/data/server/tables.ts'

/** What is known about a brand's copy on this device; kept beside the rows and the same in all tabs. */
export interface BrandState {
  brandId: string
  /** Of the installation whose cursor this is; another one means a full pull. Null: never pulled. */
  epoch: string | null
  cursor: string | null
  tables: Partial<Record<TableName, { mode: Mode; complete: boolean }>>
  /** SQL's number of rows at the last pull that told it. */
  counts: Partial<Record<TableName, number>>
}

/** Of a brand that this device knows nothing of. */
export function newBrandState(brandId: string): BrandState {
  return { brandId, epoch: null, cursor: null, tables: {}, counts: {} }
}

/** Whether every row of the table is on this device. */
export function isComplete(state: BrandState, table: TableName): boolean {
  return state.tables[table]?.complete === true
}
