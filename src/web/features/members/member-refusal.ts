import { isRefusal } from '#web/data/server/is-refusal.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { toast } from '#web/ui/toast.ts'

/**
 * Shows in a toast why a change of the team was refused. `title`: the failed action ('Error changing role'). Returns true if it was
 * refused.
 */
export function toastRefusal(title: string, outcome: Outcome): boolean {
  if (outcome.status !== 'refused') return false
  toast.error(title, { description: refusalText(outcome) })
  return true
}

/** Returns the text of a refusal: our own sentence for three errors of SQL and for a violated row-level security policy (42501), else its message. */
export function refusalText(refusal: { message: string; code: string | null }): string {
  if (isRefusal(refusal, 'LAST_OWNER')) return 'A brand keeps at least one owner. Make somebody else an owner first.'
  if (isRefusal(refusal, 'USER_NOT_FOUND')) return 'This person is no longer a member of this brand.'
  if (isRefusal(refusal, 'NOT_AUTHORIZED') || refusal.code === '42501')
    return 'Your role in this brand does not allow it.'
  return refusal.message
}
