import { useMemo } from 'react'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { isComplete } from '#web/data/store/brand-state.ts'
import { observable } from '#web/lib/observable.ts'
import type { RecordTable } from '#web/data/store/record-tables.ts'
import { chunksOf } from '#web/data/server/request-size.ts'
import { readPage } from '#web/data/server/rest-page.ts'
import { RpcError } from '#web/data/server/rpc.ts'
import type { TableRows } from '#web/data/server/tables.ts'
import { useView } from './use-view.ts'
import { sourceOf, type View, view } from './view.ts'

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

/** How many records name these and would lose that link with `deleteRecords`: to be said before. Other records are asked for, not loaded. */
export function useUnlinked(table: RecordTable, ids: readonly string[]): Unlinked {
  const make = useMemo(() => (data: BrandData, key: string) => unlinkedView(data, table, key), [table])
  return useView(make, ids.join(' '), nothing)
}

/** The view behind `useUnlinked`. */
export function unlinkedView(data: BrandData, table: RecordTable, key: string): View<Unlinked> {
  const ids = new Set(key === '' ? [] : key.split(' '))
  const told = observable<Partial<Record<Linking, number>>>({})
  const from = links[table]
  const sources = [
    ...from.map((link) => data.tables[link.from]),
    sourceOf(data.state),
    sourceOf(data.loaded),
    sourceOf(told),
  ]
  const inner = view<Unlinked>(sources, () => {
    const counts = { deals: 0, tasks: 0, contacts: 0 }
    let ready = data.loaded.get()
    for (const link of from) {
      const here = countHere(data, link, ids)
      const isWhole = isComplete(data.state.get(), link.from)
      counts[link.from] = isWhole ? here : Math.max(here, told.get()[link.from] ?? 0)
      if (!isWhole && told.get()[link.from] === undefined) ready = false
    }
    return { ready, ...counts }
  })
  return {
    read: inner.read,
    subscribe: (listener) => {
      const abort = new AbortController()
      for (const link of from) {
        if (ids.size === 0 || isComplete(data.state.get(), link.from)) continue
        void countThere(data, link, [...ids], abort.signal).then(
          (count) => told.set({ ...told.get(), [link.from]: count }),
          (error: unknown) => {
            if (!(error instanceof RpcError)) throw error
          },
        )
      }
      const stop = inner.subscribe(listener)
      return () => {
        abort.abort()
        stop()
      }
    },
  }
}

function countHere(data: BrandData, { from, column }: { from: Linking; column: string }, ids: Set<string>): number {
  let count = 0
  for (const row of data.tables[from].values() as IterableIterator<TableRows[Linking]>) {
    const target = (row as unknown as Record<string, unknown>)[column]
    if (typeof target === 'string' && ids.has(target)) count += 1
  }
  return count
}

async function countThere(
  data: BrandData,
  { from, column }: { from: Linking; column: string },
  ids: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const { userId, brandId } = data
  let count = 0
  for (const some of chunksOf(ids)) {
    const among = { [column]: some }
    const page = { userId, brandId, table: from, among, order: [], offset: 0, limit: 1, signal }
    count += (await readPage(page)).total
  }
  return count
}
