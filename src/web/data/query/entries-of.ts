import type { TableName, TableRows } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { Query } from './query.ts'
import type { RecordList } from './record-list.ts'
import { rowsOf } from './rows-of.ts'
import { type View, view, viewSource } from './view.ts'

/**
 * A view of the rows of a query as entries. An entry may show rows that its row refers to: a change of these also computes the list again.
 */
export function entriesOf<Table extends TableName, Entry>(
  data: BrandData,
  query: Query<Table>,
  entry: (data: BrandData, row: TableRows[Table]) => Entry,
): View<RecordList<Entry>> {
  const rows = rowsOf(data, query)
  return view([viewSource(rows), ...referencedTables(data, query.table)], () => {
    const { at, ...list } = rows.read()
    return {
      ...list,
      at: (index) => {
        const row = at(index)
        return row && entry(data, row)
      },
    }
  })
}

/** Returns the tables that rows of this table refer to, as sources. */
export function referencedTables(data: BrandData, table: TableName) {
  const { references = {} } = data.definitions[table]
  return [...new Set(Object.values<TableName>(references))].map((name) => data.tables[name])
}

/** Returns the entries of a list from the first one up to the first that is not on this device. */
export function loadedEntries<Entry>({ total, at }: RecordList<Entry>, limit = Number.POSITIVE_INFINITY): Entry[] {
  const entries: Entry[] = []
  for (let index = 0; index < Math.min(total, limit); index++) {
    const entry = at(index)
    if (entry === undefined) break
    entries.push(entry)
  }
  return entries
}

/** Maximum entries of a list that is shown without a scroller: a page of the server. */
const wholeLimit = 100

/** A list that is shown as a whole, without a scroller. While it has a subscriber, the rows that its rows refer to are fetched. */
export function wholeList<Entry>(list: View<RecordList<Entry>>): View<RecordList<Entry>> {
  return {
    read: list.read,
    subscribe: (listener) => {
      const want = () => {
        const { total, want: wantRows } = list.read()
        if (total > 0) wantRows(0, Math.min(total, wholeLimit) - 1)
      }
      want()
      return list.subscribe(() => {
        want()
        listener()
      })
    },
  }
}
