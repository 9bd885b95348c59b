import type { LogEntry } from './change-log.ts'
import type { LiveTable } from './live-tables.ts'

const eventTypes = { I: 'INSERT', U: 'UPDATE', D: 'DELETE' } as const

/** A change of one row, ready for filters and delivery. */
export interface Change {
  table: LiveTable
  type: 'INSERT' | 'UPDATE' | 'DELETE'
  scope: string
  /** The row after the change; of a deleted row only its key and scope. */
  row: Readonly<Record<string, unknown>>
  /** The `data` of the frame as JSON text, serialised once for all receivers. */
  readonly dataJson: string
}

/** Parses a line of the log; null for a table that is no longer published. */
export function readChange(entry: LogEntry, tables: ReadonlyMap<number, LiveTable>): Change | null {
  const table = entry.relation === null ? undefined : tables.get(entry.relation)
  if (table === undefined || entry.kind === 'B' || entry.kind === 'P') return null
  const type = eventTypes[entry.kind]
  const whole = JSON.parse(entry.record) as Record<string, unknown>
  const place = whole[table.scopeColumn]
  const scope = typeof place === 'string' ? place : JSON.stringify(place ?? '')
  const key = pick(whole, table.key)
  const record = pick(
    whole,
    table.columns.map((column) => column.name),
  )
  const row = type === 'DELETE' ? { ...key, [table.scopeColumn]: scope } : record
  let written: string | undefined
  const write = () =>
    JSON.stringify({
      schema: table.schema,
      table: table.name,
      commit_timestamp: entry.at,
      type,
      columns: table.columns,
      ...(type === 'DELETE' ? {} : { record }),
      // As in Supabase with row-level security: of the old row only the key.
      ...(type === 'INSERT' ? {} : { old_record: key }),
      errors: null,
    })
  return {
    table,
    type,
    scope,
    row,
    get dataJson() {
      return (written ??= write())
    },
  }
}

function pick(row: Record<string, unknown>, columns: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))
}
