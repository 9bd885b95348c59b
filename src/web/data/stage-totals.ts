import type { BrandData } from './brand-data.ts'
import { isComplete } from './brand-state.ts'
import type { Deal } from './rows.ts'
import { addEffects } from './snapshot-effects.ts'
import { addAmount, type Sums } from './sums.ts'

/**
 * Count and sums by currency of each stage: counted here when every deal is on this device, else SQL's figure and the effect of our own
 * changes on it. Empty while neither is known.
 */
export function stageTotals(data: BrandData): Map<string, Sums> {
  const totals = new Map<string, Sums>()
  const add = (deal: Deal, times: 1 | -1) =>
    addAmount(sumsOf(totals, deal.stage_id), deal.amount_currency, deal.amount, times)
  const state = data.state.get()
  if (isComplete(state, 'deals') || !state.board) {
    for (const deal of data.tables.deals.values()) add(deal, 1)
    return totals
  }
  for (const { stage_id, currency, amount, count } of state.board.totals) {
    addAmount(sumsOf(totals, stage_id), currency, amount, 1, count)
  }
  addEffects(data, 'deals', { name: 'board', askedAt: state.board.askedAt }, add)
  return totals
}

function sumsOf(totals: Map<string, Sums>, stageId: string): Sums {
  const present = totals.get(stageId)
  if (present) return present
  const made: Sums = new Map()
  totals.set(stageId, made)
  return made
}
