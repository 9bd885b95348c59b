import { isOpenStage } from '#web/data/deal-stages.ts'
import type { Deal, DealStage } from '#web/data/server/rows.ts'
import { countOf } from '#web/lib/count.ts'
import { daysBetween } from '#web/lib/dates.ts'

/** A sign of this alone is shown more quietly, as a list with a cross, and not on the phone. */
export const noNextTask = 'No next task'

/**
 * What an open deal needs beside its close date, in words: it stands longer than its stage's usual time, it has no open task. Null: nothing.
 * `withTask`: the deals that have one; null: unknown.
 */
export function dealSign(
  deal: Pick<Deal, 'id' | 'stage_since'>,
  stage: Pick<DealStage, 'kind' | 'usual_days'>,
  now: Date,
  withTask: ReadonlySet<string> | null,
): string | null {
  if (!isOpenStage(stage)) return null
  const days = daysBetween(new Date(deal.stage_since), now)
  const usual = stage.usual_days
  const signs = [
    usual && days > usual && `In this stage for ${countOf(days, 'day', 'days')}, usually ${usual}`,
    withTask && !withTask.has(deal.id) && noNextTask,
  ]
  return signs.filter(Boolean).join(' · ') || null
}
