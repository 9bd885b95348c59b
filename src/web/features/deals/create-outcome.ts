import { toastDescription } from '#web/crm/toast-description.ts'
import type { Device } from '#web/data/browser/device.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { toast, type ToastOptions } from '#web/ui/toast.ts'

/** Shows the result of creating a deal in a toast, with the texts of spec section 8. Returns false if it was refused. */
export function showCreateOutcome(device: Device, outcome: Outcome, options?: ToastOptions): boolean {
  if (outcome.status === 'refused') {
    toast.error('Error creating deal', { description: outcome.message })
    return false
  }
  if (outcome.status === 'saved') toast.success('Deal created', options)
  else toast.success('Saved on this device', { ...toastDescription(device, 'deals', outcome.id), ...options })
  return true
}
