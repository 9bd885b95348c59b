import { useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import { setMemberRole } from '#web/data/people/change-members.ts'
import type { Member } from '#web/data/people/members.ts'
import type { Role } from '#web/data/server/rows.ts'
import { announce } from '#web/ui/live-region.ts'
import { toastRefusal } from './change-refused.ts'
import { roleName } from './may-change.ts'

/** Changes a member's role; `pending` until the list shows it. */
export function useGiveRole(member: Member): { pending: boolean; give: (role: Role) => void } {
  const device = useDevice()
  const [pending, setPending] = useState(false)
  const give = async (role: Role) => {
    if (role === member.role || pending) return
    setPending(true)
    const outcome = await setMemberRole(device, member.user_id, role)
    setPending(false)
    if (!toastRefusal('Error changing role', outcome)) announce(`${member.email}: ${roleName(role)}`)
  }
  return { pending, give: (role) => void give(role) }
}
