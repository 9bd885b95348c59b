import type { Device } from '#web/data/browser/device.ts'
import { addMember, type Member, reloadMembers } from '#web/data/people/members.ts'
import { toast, type ToastOptions } from '#web/ui/toast.ts'
import { toastRefusal } from './member-refusal.ts'

/** Returns the toast button 'Add again' for a removed member; nothing for an owner, because nobody can be added as an owner. */
export function addAgainAction(device: Device, { email, role }: Member, name: string): Pick<ToastOptions, 'action'> {
  if (role === 'owner') return {}
  const add = async () => {
    const outcome = await addMember(device, email, role)
    await reloadMembers(device)
    if (!toastRefusal('Error adding member', outcome)) toast.success(`${name} is a member again`)
  }
  return { action: { label: 'Add again', run: () => void add() } }
}
