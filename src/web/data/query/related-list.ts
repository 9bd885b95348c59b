import type { TableName, TableRows } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { entriesOf, loadedEntries, listWithoutScroller } from './entries-of.ts'
import type { Query } from './query.ts'
import { type View, view, sourceOfView } from './view.ts'

/**
 * The records that are linked to another record. `total` also counts records that are not in `entries`, because only about 100 records of a
 * windowed table are fetched (`listWithoutScroller`).
 */
export interface RelatedList<Entry> {
  ready: boolean
  total: number
  entries: readonly Entry[]
}

/** The list of linked records while no brand is open: not ready, and empty. */
export const noRelatedRecords: RelatedList<never> = { ready: false, total: 0, entries: [] }

/** Creates a view of the records that are linked to another record. `query` selects them. The list is shown without a scroller. */
export function relatedTo<Table extends TableName, Entry>(
  data: BrandData,
  query: Query<Table>,
  entryOf: (data: BrandData, row: TableRows[Table]) => Entry,
): View<RelatedList<Entry>> {
  const list = listWithoutScroller(entriesOf(data, query, entryOf))
  return view([sourceOfView(list)], () => {
    const { ready, total } = list.read()
    return { ready, total, entries: loadedEntries(list.read()) }
  })
}

/** Joins several lists of linked records into one. The joined list is ready when all lists are. */
export function joinLists<Entry>(lists: readonly View<RelatedList<Entry>>[]): View<RelatedList<Entry>> {
  const [only] = lists
  if (only && lists.length === 1) return only
  return view(lists.map(sourceOfView), () => {
    const parts = lists.map((list) => list.read())
    return {
      ready: parts.every(({ ready }) => ready),
      total: parts.reduce((sum, { total }) => sum + total, 0),
      entries: parts.flatMap(({ entries }) => entries),
    }
  })
}
