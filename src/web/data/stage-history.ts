import type { DealStageChange } from '#shared/rows.ts'
import { askServer } from '#web/data/server/ask-server.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { observable } from '#web/lib/observable.ts'
import { fieldOf, listOf, numberOf, textOf } from '#web/lib/read-unknown.ts'
import { useView } from '#web/data/query/use-view.ts'
import { sourceOf, type View, view } from '#web/data/query/view.ts'

/** The moves of a deal, newest first; null until the server answers. They are not stored on this device. */
export type StageHistory = readonly DealStageChange[] | null

const none: { changes: StageHistory } = { changes: null }
const limit = 50

/** The stages of a deal, read when its panel opens and again when it has been moved. */
export function useStageHistory(dealId: string): { changes: StageHistory } {
  return useView(historyView, dealId, none)
}

function historyView(data: BrandData, dealId: string): View<{ changes: StageHistory }> {
  const history = observable<StageHistory>(null)
  const { deals } = data.tables
  const inner = view<{ changes: StageHistory }>([sourceOf(history)], () => ({ changes: history.get() }))
  return {
    read: inner.read,
    subscribe: (listener) => {
      const abort = new AbortController()
      let readFor: string | null = null
      const readIfMoved = () => {
        const place = `${deals.get(dealId)?.stage_id} ${deals.isWaiting(dealId)}`
        if (place === readFor) return
        readFor = place
        void fetchHistory(data, dealId, abort.signal).then((changes) => changes && history.set(changes))
      }
      readIfMoved()
      const stops = [inner.subscribe(listener), deals.subscribe(readIfMoved)]
      return () => {
        abort.abort()
        for (const stop of stops) stop()
      }
    },
  }
}

/** Null where no answer came. */
async function fetchHistory(data: BrandData, dealId: string, signal: AbortSignal): Promise<StageHistory> {
  const { data: rows, error } = await askServer(
    data.device,
    (server) =>
      server
        .from('deal_stage_changes')
        .select('*')
        .eq('brand_id', data.brandId)
        .eq('deal_id', dealId)
        .order('changed_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(limit)
        .abortSignal(signal)
        .retry(false),
    data.userId,
  )
  return error ? null : listOf(rows).filter(isChange)
}

function isChange(row: unknown): row is DealStageChange {
  return (
    numberOf(row, 'id') !== null &&
    ['brand_id', 'deal_id', 'to_stage_id', 'changed_at'].every((name) => textOf(row, name) !== null) &&
    ['from_stage_id', 'changed_by'].every((name) => fieldOf(row, name) === null || textOf(row, name) !== null)
  )
}
