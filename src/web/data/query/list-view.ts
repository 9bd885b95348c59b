import type { BrandData } from '#web/data/store/brand-data.ts'
import { sortedList } from '#web/data/store/brand-data.ts'
import { isComplete } from '#web/data/store/brand-state.ts'
import type { RecordList } from './record-list.ts'
import { type Page, ServerList } from './server-list.ts'
import { type Order, SortedList } from '#web/data/store/sorted-list.ts'
import type { TableName, TableRows } from '#web/data/server/tables.ts'
import { withOurs } from './with-ours.ts'
import { type Source, sourceOf, type View, view } from './view.ts'

export interface ListViewOptions<Table extends TableName, Entry> {
  data: BrandData
  table: Table
  /** Name of the order and of what belongs to the list; kept lists and indexes go by it. */
  name: string
  order: Order<TableRows[Table]>
  belongs: (row: TableRows[Table]) => boolean
  /** The search and whose records; null when the whole list is shown. */
  matches: ((row: TableRows[Table]) => boolean) | null
  /** All rows in order, where the order hangs on another table too and so cannot be kept in step. */
  sorted?: () => readonly TableRows[Table][]
  /** Further tables that entries show. */
  shows: readonly Source[]
  entry: (row: TableRows[Table]) => Entry
  /** Where the table is not complete here: a page of the same list from the server. */
  fetchPage: (offset: number, signal: AbortSignal) => Promise<Page>
}

/** A list of a table, whichever mode the table is in: from memory where it is complete, else page by page from the server. */
export function listView<Table extends TableName, Entry>(
  options: ListViewOptions<Table, Entry>,
): View<RecordList<Entry>> {
  const { data, table, name, matches } = options
  const keptAs = matches ? null : `${table}:${name}`
  const list = new ServerList(data, { table, keptAs, fetchPage: options.fetchPage })
  // Made before the rows are read, the list is sorted slice by slice and not all at once when it is first shown.
  if (!options.sorted) sortedList(data, table, name, () => new SortedList(options.order, options.belongs))
  const sources = [
    data.tables[table],
    ...options.shows,
    sourceOf(data.state),
    sourceOf(data.loaded),
    sourceOf(data.answered),
    list,
  ]
  return view(sources, () => (isComplete(data.state.get(), table) ? localList(options) : windowList(options, list)))
}

function localRows<Table extends TableName, Entry>(
  options: ListViewOptions<Table, Entry>,
): readonly TableRows[Table][] {
  const { data, table, name, order, belongs, matches } = options
  const rows = options.sorted?.() ?? sortedList(data, table, name, () => new SortedList(order, belongs)).rows
  return matches ? rows.filter(matches) : rows
}

function localList<Table extends TableName, Entry>(options: ListViewOptions<Table, Entry>): RecordList<Entry> {
  const ready = options.data.loaded.get()
  const rows = ready ? localRows(options) : []
  return { ready, total: rows.length, at: (index) => entryAt(options, rows, index), searching: false }
}

function windowList<Table extends TableName, Entry>(
  options: ListViewOptions<Table, Entry>,
  list: ServerList,
): RecordList<Entry> {
  const { data, table, matches } = options
  list.want(0)
  if (!list.answered) {
    // Until the server answers: what is known here, or the list as it was, so that it does not blink at each letter.
    const rows = localRows(options)
    const last = data.indexes.get(`last:${table}:${options.name}`) as RecordList<Entry> | undefined
    if (matches && rows.length === 0 && list.asking && last) return { ...last, searching: true }
    // While a table comes for the first time, what is here of it is no list yet: it would grow under the reader.
    const isPart = rows.length > 0 && data.state.get().tables[table]?.mode === 'windowed'
    const ready = data.loaded.get() && (isPart || matches !== null) && list.asking
    return { ready, total: rows.length, at: (index) => entryAt(options, rows, index), searching: list.asking }
  }
  // Nothing was ever answered to this question: what is here is searched instead.
  if (list.silent && list.ids.length === 0) {
    const rows = localRows(options)
    return {
      ready: data.loaded.get(),
      total: rows.length,
      at: (index) => entryAt(options, rows, index),
      searching: false,
      partial: true,
    }
  }
  const isIn = (row: TableRows[Table]) => options.belongs(row) && (!matches || matches(row))
  const { first, ids, total } = withOurs({ data, table, list, isIn, order: options.order })
  const at = (index: number): Entry | undefined => {
    if (index < first.length) return entryAt(options, first, index)
    const place = index - first.length
    list.want(place)
    const id = ids[place]
    const row = id ? data.tables[table].get(id) : undefined
    return row && options.entry(row)
  }
  const present = { ready: true, total, at, searching: list.asking, partial: list.silent }
  data.indexes.set(`last:${table}:${options.name}`, present)
  return present
}

function entryAt<Table extends TableName, Entry>(
  options: ListViewOptions<Table, Entry>,
  rows: readonly TableRows[Table][],
  index: number,
): Entry | undefined {
  const row = rows[index]
  return row && options.entry(row)
}
