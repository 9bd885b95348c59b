import type { BrandData } from '#web/data/store/brand-data.ts'
import { isComplete } from '#web/data/store/brand-state.ts'
import { RpcError } from '#web/data/server/rpc.ts'
import type { Page } from './server-list.ts'
import { storeRows } from '#web/data/store/store-rows.ts'
import type { TableName } from '#web/data/server/tables.ts'
import type { View } from './view.ts'

interface BroughtOptions {
  data: BrandData
  table: TableName
  /** The rows that the view needs, from the server. */
  fetchSome: (signal: AbortSignal) => Promise<Pick<Page, 'rows' | 'named'>>
}

/**
 * A view of what is here, for whose sake the server is asked while the table is not complete on this device: when somebody begins to look,
 * and again when others have changed the table. What comes goes into the same store as all rows.
 */
export function brought<T>(view: View<T>, options: BroughtOptions): View<T> {
  const { data, table } = options
  return {
    read: view.read,
    subscribe: (listener) => {
      const abort = new AbortController()
      const look = async () => {
        // Just opened, a brand looks empty: what this device has of it may be the whole table.
        await data.stateKnown
        if (abort.signal.aborted || isComplete(data.state.get(), table)) return
        await bring(options, abort.signal)
      }
      void look()
      const stops = [view.subscribe(listener), data.hearStirs((stirred) => stirred === table && void look())]
      return () => {
        abort.abort()
        for (const stop of stops) stop()
      }
    },
  }
}

async function bring({ data, table, fetchSome }: BroughtOptions, signal: AbortSignal): Promise<void> {
  const { userId, brandId, gone } = data
  try {
    const { rows, named } = await fetchSome(signal)
    for (const { table: other, rows: others } of [...named, { table, rows }]) {
      await storeRows({ userId, brandId, table: other, rows: others.filter((row) => !gone.has(row.id)) })
    }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
  }
}
