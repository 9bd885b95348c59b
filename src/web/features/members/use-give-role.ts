import { useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import { setMemberRole } from '#web/data/people/change-members.ts'
import type { Member } from '#web/data/people/members.ts'
import type { Role } from '#web/data/server/rows.ts'
import { toast } from '#web/ui/toast.ts'
import { toastRefusal } from './member-refusal.ts'
import { roleInWords, roleName } from './member-roles.ts'
import { isRefusal } from '#web/data/server/is-refusal.ts'

/** Changes a member's role, with 'Undo'. `pending` is true until the list shows the change. `name`: the member's name in the toast. */
export function useGiveRole(member: Member, name: string): { pending: boolean; give: (role: Role) => void } {
  const device = useDevice()
  const [pending, setPending] = useState(false)
  const give = async (role: Role) => {
    if (role === member.role || pending) return
    setPending(true)
    const outcome = await setMemberRole(device, member.user_id, role)
    setPending(false)
    if (toastRefusal('Error changing role', outcome)) return
    const previousRole = member.role
    toast.success(`${name} is ${roleInWords(role)} now`, {
      description: `Before: ${roleName(previousRole)}`,
      action: { label: 'Undo', run: () => void giveBack(role, previousRole) },
    })
  }
  const giveBack = async (from: Role, to: Role) => {
    setPending(true)
    const outcome = await setMemberRole(device, member.user_id, to, from)
    setPending(false)
    if (outcome.status === 'refused' && isRefusal(outcome, 'NOT_AUTHORIZED'))
      toast.error('Undo failed', { description: `${name}’s role was changed again, or yours no longer allows it.` })
    else if (!toastRefusal('Undo failed', outcome)) toast.success(`${name} is ${roleInWords(to)} again`)
  }
  return { pending, give: (role) => void give(role) }
}
