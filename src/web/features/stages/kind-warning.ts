import { useDealsInStages } from '#web/data/deals-in-stages.ts'
import type { DealStage } from '#web/data/server/rows.ts'
import { countOf } from '#web/lib/count.ts'

/**
 * Returns a sentence that says what the kind chosen in a stage's form does to the deals of the stage: it closes or reopens them. Null if it does
 * neither: also for a change between won and lost, after which deals keep their closing day. `isCounting`: the number of deals is not known yet.
 */
export function useKindWarning(stage: DealStage | null, chosen: DealStage['kind']) {
  const isReopening = chosen === 'open'
  const affected = stage && (stage.kind === 'open') !== isReopening ? [stage.id] : []
  const dealCount = useDealsInStages(affected)
  if (affected.length === 0) return { isCounting: false, warning: null }
  if (dealCount === null) return { isCounting: true, warning: 'The deals are being counted…' }
  return { isCounting: false, warning: dealCount === 0 ? null : warningOf(dealCount, isReopening) }
}

/** The database stores a lost closing day for 24 hours (`private.former_closing_days`). */
function warningOf(dealCount: number, isReopening: boolean): string {
  if (!isReopening)
    return `${countOf(dealCount, 'deal is', 'deals are')} closed today. A closing day that was lost in the last 24 hours returns.`
  const lost = dealCount === 1 ? 'loses its closing day' : 'lose their closing day'
  return `${countOf(dealCount, 'deal is', 'deals are')} reopened and ${lost}. A change back within 24 hours restores it.`
}
