import type { LogEntry } from './change-log.ts'
import { parseExactly, writeExactly } from './exact-json.ts'
import type { LiveTable } from './live-tables.ts'

const eventTypes = { I: 'INSERT', U: 'UPDATE', D: 'DELETE' } as const

/** A change of one row, ready for filters and delivery. */
export interface Change {
  table: LiveTable
  type: 'INSERT' | 'UPDATE' | 'DELETE'
  /** The id that decides who may see the row, from the table's scope column (`LiveTable.scopeColumn`). */
  scope: string
  /** The row after the change, with only the columns that users may read. For a deleted row: only its key and its scope. */
  row: Readonly<Record<string, unknown>>
  /** The member `data` of the frame as JSON text. It is serialised once for all receivers. */
  readonly dataJson: string
}

/**
 * Returns the change that an entry of the log describes. Returns null for an entry that is a message, and for a row of a
 * table that is not published any more.
 */
export function readChange(entry: LogEntry, tables: ReadonlyMap<number, LiveTable>): Change | null {
  const table = entry.relation === null ? undefined : tables.get(entry.relation)
  if (table === undefined || entry.kind === 'B' || entry.kind === 'P') return null
  const type = eventTypes[entry.kind]
  const fullRow = parseExactly(entry.record) as Record<string, unknown>
  const scopeValue = fullRow[table.scopeColumn]
  const scope = typeof scopeValue === 'string' ? scopeValue : writeExactly(scopeValue ?? '')
  const key = pick(fullRow, table.key)
  const record = pick(
    fullRow,
    table.columns.map((column) => column.name),
  )
  const row = type === 'DELETE' ? { ...key, [table.scopeColumn]: scope } : record
  let serialized: string | undefined
  const serialize = () =>
    writeExactly({
      schema: table.schema,
      table: table.name,
      commit_timestamp: entry.at,
      type,
      columns: table.columns,
      ...(type === 'DELETE' ? {} : { record }),
      // `old_record` contains only the key of the old row, as in Supabase for tables with row-level security.
      ...(type === 'INSERT' ? {} : { old_record: key }),
      errors: null,
    })
  return {
    table,
    type,
    scope,
    row,
    get dataJson() {
      return (serialized ??= serialize())
    },
  }
}

function pick(row: Record<string, unknown>, columns: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))
}
