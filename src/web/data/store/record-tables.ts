import type { CustomPath } from './row-fields.ts'
import { type AnyRow, isTableName, type TableName, type TableRows } from '#web/data/server/tables.ts'

/** Tables with the settings of a brand. */
const settingTables = ['pipelines', 'deal_stages', 'memberships', 'custom_fields'] as const

/** The tables whose rows people open, edit, delete and restore. */
export type RecordTable = Exclude<TableName, (typeof settingTables)[number]>

/** Whether the table is a `RecordTable`. False for a table that this version of the app does not know. */
export function isRecordTable(table: TableName): table is RecordTable {
  return isTableName(table) && !settingTables.some((name) => name === table)
}

/** Record tables without a page of their own: their rows are created while typing, or in the panel of another record. */
const tablesInPanels = ['notes', 'tags', 'deal_contacts'] as const

/** The record tables with a list at /crm/TABLE, and a record at /crm/TABLE/ID. */
export type ListedTable = Exclude<RecordTable, (typeof tablesInPanels)[number]>

export function isListedTable(table: string): table is ListedTable {
  return isTableName(table) && isRecordTable(table) && !tablesInPanels.some((name) => name === table)
}

/** The record tables whose records have an owner. */
export type OwnedTable = {
  [Table in RecordTable]: 'owner_id' extends keyof TableRows[Table] ? Table : never
}[RecordTable]

/** Columns that only the server sets. */
type ServerColumn =
  | keyof AnyRow
  | 'created_at'
  | 'created_by'
  | 'author_id'
  | 'stage_since'
  | 'completed_at'
  | 'import_id'
  | 'email_norm'

/** Fields of a record that a person can edit. */
export type Editable<Table extends RecordTable> = Omit<TableRows[Table], ServerColumn | 'custom'> & {
  [path: CustomPath]: unknown
}
