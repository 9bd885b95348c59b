import type { AmountChange, DealStageChange } from '#shared/rows.ts'
import { askServer } from '#web/data/server/ask-server.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { observable } from '#web/lib/observable.ts'
import { fieldOf, listOf, numberOf, textOf } from '#web/lib/read-unknown.ts'
import { useView } from '#web/data/query/use-view.ts'
import { sourceOf, type View, view } from '#web/data/query/view.ts'

/** A move of a deal between stages (from null: its first stage), or a change of its amount or currency. */
export type DealChange = DealStageChange | AmountChange

/** The changes of a deal, newest first; null until the server answers. They are not stored on this device. */
export type DealHistory = readonly DealChange[] | null

const none: { changes: DealHistory } = { changes: null }
/** So many moves are shown, and so many changes of the amount. */
const limit = 50

/** The history of a deal, read when its panel opens and again when its stage or amount has changed. */
export function useDealHistory(dealId: string): { changes: DealHistory } {
  return useView(historyView, dealId, none)
}

function historyView(data: BrandData, dealId: string): View<{ changes: DealHistory }> {
  const history = observable<DealHistory>(null)
  const { deals } = data.tables
  const inner = view<{ changes: DealHistory }>([sourceOf(history)], () => ({ changes: history.get() }))
  return {
    read: inner.read,
    subscribe: (listener) => {
      const abort = new AbortController()
      let readFor: string | null = null
      const readIfChanged = () => {
        const deal = deals.get(dealId)
        const present = `${deal?.stage_id} ${deal?.amount} ${deal?.amount_currency} ${deals.isWaiting(dealId)}`
        if (present === readFor) return
        readFor = present
        void fetchHistory(data, dealId, abort.signal).then((changes) => changes && history.set(changes))
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

/** Null where no answer came. A server that does not know changes of amounts yet answers the moves alone. */
async function fetchHistory(data: BrandData, dealId: string, signal: AbortSignal): Promise<DealHistory> {
  const [moves, amounts] = await Promise.all([
    fetchChanges(data, 'deal_stage_changes', dealId, signal),
    fetchChanges(data, 'amount_changes', dealId, signal),
  ])
  if (!moves) return null
  const changes = [...moves.filter(isStageChange), ...(amounts ?? []).filter(isAmountChange)]
  return changes.sort((a, b) => Date.parse(b.changed_at) - Date.parse(a.changed_at))
}

/** Newest first; null where the server gave no rows. */
async function fetchChanges(
  data: BrandData,
  table: 'deal_stage_changes' | 'amount_changes',
  dealId: string,
  signal: AbortSignal,
): Promise<readonly unknown[] | null> {
  const { data: rows, error } = await askServer(
    data.device,
    (server) =>
      server
        .from(table)
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
  return error ? null : listOf(rows)
}

function isAmountChange(row: unknown): row is AmountChange {
  return (
    isChange(row) &&
    ['from_amount', 'to_amount'].every((name) => numberOf(row, name) !== null) &&
    hasTexts(row, ['from_currency', 'to_currency'])
  )
}

function isStageChange(row: unknown): row is DealStageChange {
  return isChange(row) && hasTexts(row, ['to_stage_id']) && isTextOrNull(row, 'from_stage_id')
}

function isChange(row: unknown): boolean {
  return (
    numberOf(row, 'id') !== null &&
    hasTexts(row, ['brand_id', 'deal_id', 'changed_at']) &&
    isTextOrNull(row, 'changed_by')
  )
}

function hasTexts(row: unknown, names: readonly string[]): boolean {
  return names.every((name) => textOf(row, name) !== null)
}

function isTextOrNull(row: unknown, name: string): boolean {
  return fieldOf(row, name) === null || textOf(row, name) !== null
}
