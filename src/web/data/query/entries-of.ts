import type { TableName, TableRows } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { Query } from './query.ts'
import type { RecordList } from './record-list.ts'
import { rowsOf } from './rows-of.ts'
import { type View, view, sourceOfView } from './view.ts'

/**
 * Creates a view of a list with one entry for each row of a query. `entryOf` makes the entry of a row. It may also read rows that the
 * row refers to, so the list is computed again also when these rows change.
 */
export function entriesOf<Table extends TableName, Entry>(
  data: BrandData,
  query: Query<Table>,
  entryOf: (data: BrandData, row: TableRows[Table]) => Entry,
): View<RecordList<Entry>> {
  const rows = rowsOf(data, query)
  return view([sourceOfView(rows), ...referencedTables(data, query.table)], () => {
    const { at, ...list } = rows.read()
    return {
      ...list,
      at: (index) => {
        const row = at(index)
        return row && entryOf(data, row)
      },
    }
  })
}

/** Returns the collections of the tables that rows of this table refer to, as sources of a view. */
export function referencedTables(data: BrandData, table: TableName) {
  const { references = {} } = data.definitions[table]
  return [...new Set(Object.values<TableName>(references))].map((name) => data.tables[name])
}

/** Returns the first entries of a list, at most `limit`. Stops at the first entry whose row is not on this device. */
export function loadedEntries<Entry>({ total, at }: RecordList<Entry>, limit = Number.POSITIVE_INFINITY): Entry[] {
  const entries: Entry[] = []
  for (let index = 0; index < Math.min(total, limit); index++) {
    const entry = at(index)
    if (entry === undefined) break
    entries.push(entry)
  }
  return entries
}

/**
 * Number of entries that are fetched for a list without a scroller. They are fetched in whole pages (`pageRows`), so the list may show a few
 * more.
 */
const entryLimit = 100

/**
 * Returns the view of a list that is shown without a scroller. While the view has a subscriber, it fetches the first `entryLimit` rows of the
 * list and the rows that these refer to.
 */
export function listWithoutScroller<Entry>(list: View<RecordList<Entry>>): View<RecordList<Entry>> {
  return {
    read: list.read,
    subscribe: (listener) => {
      const wantFirstRows = () => {
        const { total, want: wantRows } = list.read()
        if (total > 0) wantRows(0, Math.min(total, entryLimit) - 1)
      }
      wantFirstRows()
      return list.subscribe(() => {
        wantFirstRows()
        listener()
      })
    },
  }
}
