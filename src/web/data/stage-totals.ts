import type { BrandData } from '#web/data/store/brand-data.ts'
import { boardFigures, isComplete } from '#web/data/store/brand-state.ts'
import type { Deal } from '#web/data/server/rows.ts'
import { addEffects } from '#web/data/query/snapshot-effects.ts'
import { addAmount, type Sums } from '#web/data/query/sums.ts'

/**
 * Count and sums by currency of each stage: counted here when every deal is on this device, else SQL's figure and the effect of our own
 * changes on it. `mine`: of the deals that the person signed in owns. Empty while neither is known.
 */
export function stageTotals(data: BrandData, mine = false): Map<string, Sums> {
  const totals = new Map<string, Sums>()
  const add = (deal: Deal, times: 1 | -1) => {
    if (mine && deal.owner_id !== data.userId) return
    addAmount(sumsOf(totals, deal.stage_id), deal.amount_currency, deal.amount, times)
  }
  const state = data.state.get()
  const figures = boardFigures(state, mine)
  if (isComplete(state, 'deals') || !figures) {
    for (const deal of data.tables.deals.values()) add(deal, 1)
    return totals
  }
  for (const { stage_id, currency, amount, count } of figures.totals) {
    addAmount(sumsOf(totals, stage_id), currency, amount, 1, count)
  }
  addEffects(data, 'deals', { name: mine ? 'board of mine' : 'board', askedAt: figures.askedAt }, add)
  return totals
}

function sumsOf(totals: Map<string, Sums>, stageId: string): Sums {
  const present = totals.get(stageId)
  if (present) return present
  const made: Sums = new Map()
  totals.set(stageId, made)
  return made
}
