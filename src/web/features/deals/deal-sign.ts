import { isOpenStage } from '#web/data/deal-stages.ts'
import type { Deal, DealStage } from '#web/data/server/rows.ts'
import { countOf } from '#web/lib/count.ts'
import { daysBetween } from '#web/lib/dates.ts'

/** If this is the only text, the card has a less prominent sign: a list with a cross, and on the phone no sign. */
export const noNextTask = 'No next task'

/**
 * Returns what needs attention in an open deal apart from its close date, in words: it has been in its stage longer than usual, or it has
 * no open task. Null if nothing does. `withTask`: the ids of deals with an open task; null if they are unknown or no task has a deal: then a
 * missing task is not mentioned.
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
