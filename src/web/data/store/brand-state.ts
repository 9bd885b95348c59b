import type { DashboardFigures } from './dashboard-figures.ts'
import type { Mode } from './modes.ts'
import type { TableName } from '#web/data/server/tables.ts'

/** One line of the board's totals as SQL counted them. */
export interface StageTotal {
  stage_id: string
  currency: string
  count: number
  amount: number
}

/** What is known about a brand's copy on this device; kept beside the rows and the same in all tabs. */
export interface BrandState {
  brandId: string
  /** Of the installation whose cursor this is; another one means a full pull. Null: never pulled. */
  epoch: string | null
  cursor: string | null
  tables: Partial<Record<TableName, { mode: Mode; complete: boolean }>>
  /** SQL's number of rows at the last pull that told it. */
  counts: Partial<Record<TableName, number>>
  /** SQL's totals of the board and figures of the dashboard, for tables that are not complete here; with the time they were asked. */
  board: { totals: readonly StageTotal[]; askedAt: number } | null
  /** The same of the deals that the person signed in owns. */
  boardOfMine?: BrandState['board']
  dashboard: { figures: DashboardFigures; askedAt: number } | null
}

/** Of a brand that this device knows nothing of. */
export function newBrandState(brandId: string): BrandState {
  return { brandId, epoch: null, cursor: null, tables: {}, counts: {}, board: null, dashboard: null }
}

/** SQL's totals of the board: of all deals or of one's own; null while it has not told them. */
export function boardFigures(state: BrandState, mine: boolean): BrandState['board'] {
  return (mine ? state.boardOfMine : state.board) ?? null
}

/** Whether every row of the table is on this device. */
export function isComplete(state: BrandState, table: TableName): boolean {
  return state.tables[table]?.complete === true
}
