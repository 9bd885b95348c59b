import { isRefusal } from '#web/data/server/is-refusal.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { toast } from '#web/ui/toast.ts'

/**
 * Shows in a toast why a change of stages or pipelines was refused. `title`: the failed action ('Error deleting stage'). Returns true if
 * it was refused.
 */
export function toastStageRefusal(title: string, outcome: Outcome): boolean {
  if (outcome.status !== 'refused') return false
  const isForbidden = isRefusal(outcome, 'NOT_AUTHORIZED') || outcome.code === '42501'
  toast.error(title, { description: isForbidden ? 'Admins and owners change pipelines and stages.' : outcome.message })
  return true
}
