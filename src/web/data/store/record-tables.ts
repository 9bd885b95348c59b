import type { CustomPath } from './row-fields.ts'
import { type AnyRow, isTableName, type TableName, type TableRows } from '#web/data/server/tables.ts'

/** The tables that hold the settings of a brand. */
const settingTables = ['pipelines', 'deal_stages', 'memberships', 'custom_fields'] as const

/** The tables whose rows people open, edit, delete and restore. */
export type RecordTable = Exclude<TableName, (typeof settingTables)[number]>

/** Whether a table is a `RecordTable`. False for a table that this version of the app does not know. */
export function isRecordTable(table: TableName): table is RecordTable {
  return isTableName(table) && !settingTables.some((name) => name === table)
}

/**
 * The record tables that have no page of their own. Their rows are created in the panel of another record. Tags are also created where they
 * are chosen.
 */
const tablesInPanels = ['notes', 'tags', 'deal_contacts'] as const

/** A record table that has a page with its list at /crm/TABLE, and a page for each record at /crm/TABLE/ID. */
export type ListedTable = Exclude<RecordTable, (typeof tablesInPanels)[number]>

/** Whether a table is a `ListedTable`: it has a page with its list. */
export function hasListPage(table: string): table is ListedTable {
  return isTableName(table) && isRecordTable(table) && !tablesInPanels.some((name) => name === table)
}

/** A record table whose records have an owner. */
export type OwnedTable = {
  [Table in RecordTable]: 'owner_id' extends keyof TableRows[Table] ? Table : never
}[RecordTable]

/** A column that only the server sets. */
type ServerColumn =
  | keyof AnyRow
  | 'created_at'
  | 'created_by'
  | 'author_id'
  | 'stage_since'
  | 'completed_at'
  | 'import_id'
  | 'email_norm'

/** The fields of a record that a person can edit. */
export type Editable<Table extends RecordTable> = Omit<TableRows[Table], ServerColumn | 'custom'> & {
  [path: CustomPath]: unknown
}
