import type { AnyRow } from '#web/data/server/tables.ts'
import { textOf } from '#web/lib/read-unknown.ts'

/** The answer of the RPC `pull`. */
export interface PullAnswer {
  epoch: string
  cursor: string
  /** The page belongs to a pull from the beginning: requested, or forced by the server (new epoch, cursor older than the tombstones). */
  full: boolean
  complete: boolean
  rows: Record<string, AnyRow[]>
  tombstones: { table: string; id: string }[]
  counts?: Record<string, number> | null
}

/** Adds an `id` to memberships, the user's id, so that every row has the same key. */
export function keyedRows(table: string, rows: readonly AnyRow[]): readonly AnyRow[] {
  if (table !== 'memberships') return rows
  return rows.map((row) => ({ ...row, id: textOf(row, 'user_id') ?? row.id }))
}
