import type { Outcome } from '#web/data/session/outcome.ts'
import { toast } from '#web/ui/toast.ts'

/** Says what came of a new deal, in the words of spec section 8. True unless it was refused. */
export function tellCreated(outcome: Outcome): boolean {
  if (outcome.status === 'refused') {
    toast.error('Error creating deal', { description: outcome.message })
    return false
  }
  toast.success(outcome.status === 'saved' ? 'Deal created' : 'Saved on this device')
  return true
}
