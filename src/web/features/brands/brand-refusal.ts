import { isRefusal } from '#web/data/server/is-refusal.ts'
import { toast } from '#web/ui/toast.ts'

/**
 * Shows in a toast why a brand was not created, changed or deleted: for a taken name the text of spec section 8, otherwise `title` with the reason.
 */
export function toastBrandRefusal(title: string, code: string | null, message: string): void {
  if (code === '23505' || message.includes('duplicate key value')) {
    toast.error('Brand name already exists', { description: 'Please choose a different name.' })
  } else if (isRefusal({ message, code }, 'NOT_AUTHORIZED')) {
    toast.error(title, { description: 'Only owners can do this.' })
  } else if (isRefusal({ message, code }, 'SESSION_ENDED')) {
    toast.error(title, { description: 'Your session has ended. Sign in again.' })
  } else {
    toast.error(title, { description: message || 'Please try again.' })
  }
}
