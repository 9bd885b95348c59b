import type { Outcome } from '#web/data/session/outcome.ts'
import { toast, type ToastOptions } from '#web/ui/toast.ts'

/** Shows the result of creating a deal, with the texts of spec section 8. False when it was refused. */
export function toastCreated(outcome: Outcome, options?: ToastOptions): boolean {
  if (outcome.status === 'refused') {
    toast.error('Error creating deal', { description: outcome.message })
    return false
  }
  toast.success(outcome.status === 'saved' ? 'Deal created' : 'Saved on this device', options)
  return true
}
