import type { AnyRow } from '#web/data/server/tables.ts'

/** What the RPC `pull` answers. */
export interface PullAnswer {
  epoch: string
  cursor: string
  /** The page belongs to a pull from the beginning, asked for or forced (new epoch, cursor older than the tombstones). */
  full: boolean
  complete: boolean
  rows: Record<string, AnyRow[]>
  tombstones: { table: string; id: string }[]
  counts?: Record<string, number> | null
}

/** Memberships have no id of their own: the user's is it, so that every row here has one key. */
export function keyedRows(table: string, rows: readonly AnyRow[]): readonly AnyRow[] {
  if (table !== 'memberships') return rows
  return rows.map((row) => ({ ...row, id: (row as AnyRow & { user_id: string }).user_id }))
}
