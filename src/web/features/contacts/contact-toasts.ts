import { toastDescription } from '#web/crm/toast-description.ts'
import type { Device } from '#web/data/browser/device.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { toast, type ToastOptions } from '#web/ui/toast.ts'

/** Shows a toast that a contact was updated, or is saved on this device. The specification has no text for these cases. */
export function showSavedToast(device: Device, { status }: Outcome, id: string, options: ToastOptions): void {
  const title = status === 'saved' ? 'Contact updated' : 'Saved on this device'
  toast.success(title, { ...toastDescription(device, 'contacts', id), ...options })
}

/** Shows in a toast why a contact was refused (spec section 8). */
export function toastContactRefusal(description: string): void {
  toast.error('Error adding contact', { description })
}
