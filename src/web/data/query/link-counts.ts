import { useMemo } from 'react'
import { chunksOf } from '#web/data/server/request-size.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { referencesOf } from '#web/data/store/definition.ts'
import { isRecordTable, type RecordTable } from '#web/data/store/record-tables.ts'
import { tableNames } from '#web/data/server/tables.ts'
import { figuresOf } from './figures-of.ts'
import { useView } from './use-view.ts'
import { sourceOfObservable, type View, view, sourceOfView } from './view.ts'

/**
 * How many records lose their link when other records are deleted. The records that lose a link stay, except further contacts of deals,
 * which are only a link and are deleted.
 */
export interface LinkCounts {
  /** False while the stored rows are read, or before the figures of a table are `ready` and counted (`Figures`). */
  ready: boolean
  /** The number of records that lose a link, by table. Tables without such records are left out. */
  links: readonly { table: RecordTable; count: number }[]
}

const noCounts: LinkCounts = { ready: false, links: [] }

/** The tables in the order in which `unlinksInWords` names them: deals first. */
const linkingTables = tableNames.filter(isRecordTable).sort((a, b) => Number(b === 'deals') - Number(a === 'deals'))

/**
 * Returns how many records of each table link to the given records. A delete of the given records clears these links, so the
 * numbers are shown before the delete. The server counts the records of tables that are not complete on this device.
 */
export function useLinkCounts(table: RecordTable, ids: readonly string[]): LinkCounts {
  const make = useMemo(() => (data: BrandData, key: string) => linkCountsView(data, table, key), [table])
  return useView(make, ids.join(' '), noCounts)
}

/** Creates the view that `useLinkCounts` reads. `key` contains the ids of the records, separated by spaces. */
export function linkCountsView(data: BrandData, table: RecordTable, key: string): View<LinkCounts> {
  const ids = key === '' ? [] : key.split(' ')
  const counted = linkingTables.flatMap((from) => {
    const columns = [...referencesOf(data.definitions, from)].filter(([, target]) => target === table)
    const figures = columns.flatMap(([column]) =>
      chunksOf(ids).map((chunk) => figuresOf(data, { table: from, where: { [column]: chunk } })),
    )
    return figures.length === 0 ? [] : [{ table: from, figures }]
  })
  const all = counted.flatMap(({ figures }) => figures)
  return view<LinkCounts>([sourceOfObservable(data.loaded), ...all.map(sourceOfView)], () => {
    const links = counted.map(({ table: from, figures }) => ({
      table: from,
      count: figures.reduce((sum, each) => sum + each.read().count, 0),
    }))
    const ready = data.loaded.get() && all.every((figures) => figures.read().ready && !figures.read().counting)
    return { ready, links: links.filter(({ count }) => count > 0) }
  })
}
