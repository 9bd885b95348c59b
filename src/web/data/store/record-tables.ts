import type { AnyRow, TableRows } from '#web/data/server/tables.ts'

/** The tables whose rows people open, edit, delete and bring back. */
export type RecordTable = 'deals' | 'contacts' | 'companies' | 'tasks'

/** What the server or the database sets, never a person. */
type Stamped = keyof AnyRow | 'created_at' | 'created_by' | 'closed_at' | 'completed_at' | 'import_id' | 'email_norm'

/** Fields of a record that a person can edit. */
export type Editable<Table extends RecordTable> = Omit<TableRows[Table], Stamped>
