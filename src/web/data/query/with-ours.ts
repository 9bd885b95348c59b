import type { BrandData } from '#web/data/store/brand-data.ts'
import type { ServerList } from './server-list.ts'
import type { Order } from '#web/data/store/sorted-list.ts'
import type { TableName, TableRows } from '#web/data/server/tables.ts'

interface Options<Table extends TableName> {
  data: BrandData
  table: Table
  list: ServerList
  /** Whether a row belongs to the list as it is now. */
  isIn: (row: TableRows[Table]) => boolean
  order: Order<TableRows[Table]>
}

/** A list as the server gave it, corrected by what we did since: without rows that went or left, and before it ours that it did not count. */
export function withOurs<Table extends TableName>({
  data,
  table,
  list,
  isIn,
  order,
}: Options<Table>): {
  first: readonly TableRows[Table][]
  ids: readonly (string | null)[]
  total: number
} {
  const known = new Set(list.ids)
  const dropped = new Set<string>()
  for (const id of list.ids) if (id && data.gone.has(id)) dropped.add(id)
  const first: TableRows[Table][] = []
  for (const id of list.ours) {
    const row = data.tables[table].get(id)
    if (known.has(id) && !(row && isIn(row))) dropped.add(id)
    else if (!known.has(id) && row && isIn(row)) first.push(row)
  }
  first.sort(order)
  const ids = dropped.size > 0 ? list.ids.filter((id) => !(id && dropped.has(id))) : list.ids
  return { first, ids, total: first.length + Math.max(list.total - dropped.size, ids.length) }
}
