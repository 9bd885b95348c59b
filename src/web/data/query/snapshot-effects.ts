import type { BrandData } from '#web/data/store/brand-data.ts'
import { queue } from '#web/data/store/queue.ts'
import type { TableName, TableRows } from '#web/data/server/tables.ts'

interface Effects {
  /** When SQL counted what these are effects on. */
  askedAt: number
  /** Rows that we changed since, as the server had them then. */
  before: Map<string, unknown>
}

/**
 * What our own changes mean to a figure of SQL (its name, and when it was asked for): calls `add(row, 1)` for each row as it is now and `add(row, -1)`
 * as it was then. It covers changes that wait and those answered since; a newer figure of SQL starts it anew (design 2.7, two modes).
 */
export function addEffects<Table extends TableName>(
  data: BrandData,
  table: Table,
  figure: { name: string; askedAt: number },
  add: (row: TableRows[Table], times: 1 | -1) => void,
): void {
  for (const [id, before] of effectsOf(data, table, figure).before) {
    const after = data.tables[table].get(id)
    if (before) add(before as TableRows[Table], -1)
    if (after) add(after, 1)
  }
}

function effectsOf(data: BrandData, table: TableName, { name, askedAt }: { name: string; askedAt: number }): Effects {
  const key = `effects:${name}:${table}`
  let effects = data.indexes.get(key) as Effects | undefined
  if (!effects) {
    const made: Effects = { askedAt, before: new Map() }
    data.indexes.set(key, made)
    data.onClose(queue.subscribe(() => note(data, table, made)))
    effects = made
  }
  if (askedAt > effects.askedAt) {
    effects.askedAt = askedAt
    effects.before.clear()
  }
  note(data, table, effects)
  return effects
}

function note(data: BrandData, table: TableName, effects: Effects): void {
  const rows = data.tables[table]
  for (const id of rows.waitingIds()) {
    if (!effects.before.has(id)) effects.before.set(id, rows.onServer(id))
  }
}
