import { useMemo } from 'react'
import { chunksOf } from '#web/data/server/request-size.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { RecordTable } from '#web/data/store/record-tables.ts'
import { figuresOf } from './figures-of.ts'
import { useView } from './use-view.ts'
import { sourceOf, type View, view, viewSource } from './view.ts'

/** What loses its link when records are deleted; it stays itself. */
export interface Unlinked {
  /** False while the server is asked about a table that is not whole here. */
  ready: boolean
  deals: number
  tasks: number
  contacts: number
}

const nothing: Unlinked = { ready: false, deals: 0, tasks: 0, contacts: 0 }

type Linking = 'deals' | 'tasks' | 'contacts'

/** The columns that point at a record of each table. */
const links: Record<RecordTable, readonly { from: Linking; column: string }[]> = {
  deals: [{ from: 'tasks', column: 'deal_id' }],
  contacts: [
    { from: 'deals', column: 'contact_id' },
    { from: 'tasks', column: 'contact_id' },
  ],
  companies: [
    { from: 'contacts', column: 'company_id' },
    { from: 'deals', column: 'company_id' },
  ],
  tasks: [],
}

/** Counts the records that link to these, shown before `deleteRecords` clears the links. Counts on the server what is not on this device. */
export function useUnlinked(table: RecordTable, ids: readonly string[]): Unlinked {
  const make = useMemo(() => (data: BrandData, key: string) => unlinkedView(data, table, key), [table])
  return useView(make, ids.join(' '), nothing)
}

/** The view behind `useUnlinked`; `key`: the ids with a space between them. */
export function unlinkedView(data: BrandData, table: RecordTable, key: string): View<Unlinked> {
  const ids = key === '' ? [] : key.split(' ')
  const counted = links[table].flatMap(({ from, column }) =>
    chunksOf(ids).map((some) => ({ from, figures: figuresOf(data, { table: from, where: { [column]: some } }) })),
  )
  return view<Unlinked>([sourceOf(data.loaded), ...counted.map(({ figures }) => viewSource(figures))], () => {
    const counts = { deals: 0, tasks: 0, contacts: 0 }
    for (const { from, figures } of counted) counts[from] += figures.read().count
    return { ready: data.loaded.get() && counted.every(({ figures }) => figures.read().ready), ...counts }
  })
}
