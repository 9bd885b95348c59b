import type { TableName } from '#web/data/server/tables.ts'

/**
 * complete: every row of the table is on this device. windowed: only the pages and search results that were fetched. Only this file decides the
 * mode. Screens do not depend on it (docs/offline.md).
 */
export type Mode = 'complete' | 'windowed'

/** Maximum rows of a complete table, per brand. A table with more rows is windowed. */
const maxCompleteRows: Partial<Record<TableName, number>> = {
  pipelines: Number.POSITIVE_INFINITY,
  deal_stages: Number.POSITIVE_INFINITY,
  memberships: Number.POSITIVE_INFINITY,
  custom_fields: Number.POSITIVE_INFINITY,
  deals: 20_000,
  tasks: 20_000,
  // Always windowed: a record's timeline is fetched when it is shown.
  notes: -1,
}

/** The maximum for all other tables. */
const defaultMaxCompleteRows = 10_000

/** Returns the mode of a table with `count` rows in the brand. A windowed table becomes complete again only at 90 % of the limit. */
export function modeFor(table: TableName, count: number, current: Mode | null): Mode {
  const maxRows = maxCompleteRows[table] ?? defaultMaxCompleteRows
  const limit = current === 'windowed' ? maxRows * 0.9 : maxRows
  return count <= limit ? 'complete' : 'windowed'
}
