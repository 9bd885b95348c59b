import type { TableName } from '#web/data/server/tables.ts'

/**
 * complete: every row of the table is on this device. windowed: pages and searches come from the server into the same store.
 * Told here and nowhere else; screens do not know which (design 2.7).
 */
export type Mode = 'complete' | 'windowed'

const limits: Record<TableName, number> = {
  deal_stages: Number.POSITIVE_INFINITY,
  memberships: Number.POSITIVE_INFINITY,
  deals: 20_000,
  tasks: 20_000,
  contacts: 10_000,
  companies: 10_000,
}

/** The mode of a table with `count` rows in the brand; a windowed table becomes complete again only well below the limit. */
export function modeFor(table: TableName, count: number, present: Mode | null): Mode {
  const limit = present === 'windowed' ? limits[table] * 0.9 : limits[table]
  return count <= limit ? 'complete' : 'windowed'
}
