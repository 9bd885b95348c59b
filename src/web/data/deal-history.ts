import type { DealStageChange } from '#shared/rows.ts'
import { askServer } from '#web/data/server/ask-server.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { observable } from '#web/lib/observable.ts'
import { fieldOf, listOf, numberOf, textOf } from '#web/lib/read-unknown.ts'
import { useView } from '#web/data/query/use-view.ts'
import { sourceOfObservable, type View, view } from '#web/data/query/view.ts'

/**
 * The last move of a deal between stages. `move` is null until the server answers, and if there is no move. The move is not stored on this device.
 */
export interface LastMove {
  move: DealStageChange | null
}

const noMove: LastMove = { move: null }

/** Returns the last move of a deal. It is read when the deal's panel opens, and again when the deal's stage or its waiting state changes. */
export function useLastMove(dealId: string): LastMove {
  return useView(lastMoveView, dealId, noMove)
}

function lastMoveView(data: BrandData, dealId: string): View<LastMove> {
  const lastMove = observable<DealStageChange | null>(null)
  const { deals } = data.tables
  const inner = view<LastMove>([sourceOfObservable(lastMove)], () => ({ move: lastMove.get() }))
  return {
    read: inner.read,
    subscribe: (listener) => {
      const abort = new AbortController()
      let lastStateKey: string | null = null
      const readIfChanged = () => {
        const stateKey = `${deals.get(dealId)?.stage_id} ${deals.isWaiting(dealId)}`
        if (stateKey === lastStateKey) return
        lastStateKey = stateKey
        void fetchLastMove(data, dealId, abort.signal).then((move) => move && lastMove.set(move))
      }
      readIfChanged()
      const stops = [inner.subscribe(listener), deals.subscribe(readIfChanged)]
      return () => {
        abort.abort()
        for (const stop of stops) stop()
      }
    },
  }
}

/** Reads the last move of a deal. Returns null if there is none, or if no answer came. */
async function fetchLastMove(data: BrandData, dealId: string, signal: AbortSignal): Promise<DealStageChange | null> {
  const { data: rows } = await askServer(
    data.device,
    (server) =>
      server
        .from('deal_stage_changes')
        .select('*')
        .eq('brand_id', data.brandId)
        .eq('deal_id', dealId)
        .order('changed_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(1)
        .abortSignal(signal)
        .retry(false),
    data.userId,
  )
  return listOf(rows).find(isStageChange) ?? null
}

function isStageChange(row: unknown): row is DealStageChange {
  const hasTexts = ['brand_id', 'deal_id', 'changed_at', 'to_stage_id'].every((name) => textOf(row, name) !== null)
  const hasOptionalTexts = ['from_stage_id', 'changed_by'].every(
    (name) => fieldOf(row, name) === null || textOf(row, name) !== null,
  )
  return numberOf(row, 'id') !== null && hasTexts && hasOptionalTexts
}
