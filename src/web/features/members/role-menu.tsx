import { useState } from 'react'
import { setMemberRole } from '#web/data/change-members.ts'
import type { Member } from '#web/data/members.ts'
import type { Role } from '#web/data/rows.ts'
import { cx } from '#web/lib/class-names.ts'
import { ChevronDownIcon } from '#web/ui/icons.tsx'
import { announce } from '#web/ui/live-region.ts'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { sayRefused } from './change-refused.ts'
import { roleName } from './may-change.ts'

const shape =
  'inline-flex shrink-0 items-center gap-2 font-medium select-none max-sm:h-11 max-sm:rounded-control max-sm:bg-surface max-sm:px-3 max-sm:text-[15px]/5 max-sm:text-ink max-sm:ring-1 max-sm:ring-inset max-sm:ring-line2'
const button =
  'h-8 rounded-control bg-surface px-3 text-[13px]/5 text-ink ring-1 ring-inset ring-line2 hover:bg-hover aria-expanded:bg-hover'
const badge = 'h-5 rounded-badge bg-active px-2 text-xs text-ink2 sm:[&>svg]:hidden'

interface RoleMenuProps {
  member: Member
  /** What I may give. */
  roles: readonly Role[]
  /** The pointer or the focus is in its line. */
  near: boolean
}

/** A member's role: to look at a badge, a button when somebody comes near; on the phone always one. */
export function RoleMenu({ member, roles, near }: RoleMenuProps) {
  const [open, setOpen] = useState(false)
  const [pending, setPending] = useState(false)
  const give = async (role: Role) => {
    if (role === member.role || pending) return
    setPending(true)
    const outcome = await setMemberRole(member.user_id, role)
    setPending(false)
    if (!sayRefused('Error changing role', outcome)) announce(`${member.email}: ${roleName(role)}`)
  }
  return (
    <Menu
      label={`Role of ${member.email}`}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          aria-label={`${roleName(member.role)}: role of ${member.email}`}
          aria-busy={pending || undefined}
          className={cx(shape, near || open || pending ? button : badge)}
        >
          <span>{roleName(member.role)}</span>
          {pending ? <Spinner /> : <ChevronDownIcon />}
        </button>
      }
    >
      {roles.map((role) => (
        <MenuItem key={role} checked={role === member.role} onSelect={() => void give(role)}>
          {roleName(role)}
        </MenuItem>
      ))}
    </Menu>
  )
}
