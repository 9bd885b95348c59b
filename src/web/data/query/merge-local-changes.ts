import type { TableName, TableRows } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { Order } from '#web/data/store/sorted-list.ts'
import type { ServerRows } from './server-rows.ts'

/**
 * A list as the server returned it. `ids`: null for a row whose page was not fetched yet. The keys of `changedHere` are the ids of the rows
 * that this device has changed and whose changes the list may not have.
 */
interface AnsweredList extends Pick<ServerRows, 'total'> {
  ids: readonly (string | null)[]
  changedHere: Pick<ReadonlyMap<string, unknown>, 'keys'>
}

/**
 * Corrects the server's list by the changes of this device (`changedHere`) and by deletions (`recentlyDeleted`). `ids` of the result leaves out rows
 * that were deleted, or were changed and do not belong to the query any more. `first` has the changed rows that belong to the query now but are not
 * in `ids` of the server's list.
 */
export function mergeLocalChanges<Table extends TableName>(
  data: BrandData,
  table: Table,
  { ids, total, changedHere }: AnsweredList,
  isInQuery: (row: TableRows[Table]) => boolean,
  order: Order<TableRows[Table]>,
): { first: readonly TableRows[Table][]; ids: readonly (string | null)[]; total: number } {
  const known = new Set(ids)
  const dropped = new Set<string>()
  for (const id of ids) if (id && data.recentlyDeleted.has(id)) dropped.add(id)
  const first: TableRows[Table][] = []
  for (const id of changedHere.keys()) {
    const row = data.tables[table].get(id)
    if (known.has(id) && !(row && isInQuery(row))) dropped.add(id)
    else if (!known.has(id) && row && isInQuery(row)) first.push(row)
  }
  first.sort(order)
  const remainingIds = dropped.size > 0 ? ids.filter((id) => !(id && dropped.has(id))) : ids
  return { first, ids: remainingIds, total: first.length + Math.max(total - dropped.size, remainingIds.length) }
}
