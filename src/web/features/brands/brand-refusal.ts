import { toast } from '#web/ui/toast.ts'

/** Says why a brand was not made or changed: a name that is taken in the words of spec section 8, all else under `title`. */
export function sayBrandRefusal(title: string, code: string | null, message: string): void {
  if (code === '23505' || message.includes('duplicate key value')) {
    toast.error('Brand name already exists', { description: 'Please choose a different name.' })
  } else if (message.includes('NOT_AUTHORIZED')) {
    toast.error(title, { description: 'Only owners can do this.' })
  } else {
    toast.error(title, { description: message || 'Please try again.' })
  }
}
