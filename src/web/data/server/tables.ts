import { type SyncedRows, syncedTables } from '#shared/synced-tables.ts'
import { fieldOf, listOf, numberOf, textOf } from '#web/lib/read-unknown.ts'
import type { Membership } from './rows.ts'

/** The row type of each table that a device stores. */
export interface TableRows extends Omit<SyncedRows, 'brands' | 'memberships'> {
  memberships: Membership
}

export type TableName = keyof TableRows

const firstTables: readonly TableName[] = ['pipelines', 'deal_stages', 'memberships', 'tasks', 'deals']

/** The tables in the order in which a new device fetches them. The tables of the first screens come first. */
export const tableNames: readonly TableName[] = [
  ...firstTables,
  ...syncedTables.filter((table) => table !== 'brands').filter((table) => !firstTables.includes(table)),
]

/** The columns that all stored rows have. */
export interface AnyRow {
  id: string
  brand_id: string
  version: number
  rev: number
  updated_at: string
  updated_by: string | null
}

export function isTableName(name: string): name is TableName {
  return tableNames.some((table) => table === name)
}

/** Returns the rows in the data of a reply. Leaves out values that do not have the columns of `AnyRow`. */
export function rowsIn(data: unknown): AnyRow[] {
  return listOf(data).filter(isRow)
}

function isRow(value: unknown): value is AnyRow {
  const updatedBy = fieldOf(value, 'updated_by')
  return (
    ['id', 'brand_id', 'updated_at'].every((name) => textOf(value, name) !== null) &&
    ['version', 'rev'].every((name) => numberOf(value, name) !== null) &&
    (updatedBy === null || typeof updatedBy === 'string')
  )
}
