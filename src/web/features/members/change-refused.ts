import type { Outcome } from '#web/data/session/outcome.ts'
import { toast } from '#web/ui/toast.ts'

/** Shows why a change of the team was refused; `title`: what failed ('Error changing role'). True when it was refused. */
export function toastRefusal(title: string, outcome: Outcome): boolean {
  if (outcome.status !== 'refused') return false
  toast.error(title, { description: refusedBecause(outcome.message, outcome.code) })
  return true
}

/** The text of a refusal: what SQL raises, or a policy's refusal (42501). */
export function refusedBecause(message: string, code: string | null): string {
  if (message.includes('LAST_OWNER')) return 'A brand keeps at least one owner. Make somebody else an owner first.'
  if (message.includes('USER_NOT_FOUND')) return 'They are no longer a member of this brand.'
  if (message.includes('NOT_AUTHORIZED') || code === '42501') return 'Your role in this brand does not allow it.'
  return message
}
