import { useEffect } from 'react'
import { useBrandData } from '#web/data/store/brand-data.ts'
import { useObservable } from '#web/lib/observable.ts'
import { reachable } from '#web/data/server/network.ts'
import { hasAllRelated } from '#web/data/query/related.ts'
import { RpcError } from '#web/data/server/rpc.ts'
import { searchPage } from '#web/data/query/server-search.ts'
import { storeRows } from '#web/data/store/store-rows.ts'

/** Deals of a search that are fetched where this device cannot search by itself. */
const searchLimit = 200

/**
 * Where not every deal, contact and company is on this device, the server searches too: what it finds is put into the same store, and the
 * board, which filters what is here, shows it.
 */
export function useBoardSearch(text: string, mine: boolean): void {
  const data = useBrandData()
  useEffect(() => {
    if (!data || !text || hasAllRelated(data)) return
    const abort = new AbortController()
    const bring = async () => {
      const { rows, named } = await searchPage(data, 'deals', {
        text,
        owner: mine ? data.userId : null,
        offset: 0,
        limit: searchLimit,
        signal: abort.signal,
      })
      for (const { table, rows: some } of [...named, { table: 'deals' as const, rows }]) {
        const present = some.filter((row) => !data.gone.has(row.id))
        await storeRows({ userId: data.userId, brandId: data.brandId, table, rows: present })
      }
    }
    bring().catch((error: unknown) => {
      if (!(error instanceof RpcError)) throw error
    })
    return () => abort.abort()
  }, [data, text, mine])
}

/** Whether a search of the board finds only what is on this device: there is more, and no server to ask. */
export function useSearchesDeviceOnly(): boolean {
  const data = useBrandData()
  const isReachable = useObservable(reachable)
  return data !== null && !isReachable && !hasAllRelated(data)
}
