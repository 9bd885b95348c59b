import { useState } from 'react'
import type { Member } from '#web/data/people/members.ts'
import type { Role } from '#web/data/server/rows.ts'
import { cx } from '#web/lib/class-names.ts'
import { ChevronDownIcon } from '#web/ui/icons.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { roleName } from './may-change.ts'

const button =
  'h-8 gap-2 rounded-control bg-surface px-3 text-[13px]/5 text-ink ring-1 ring-inset ring-line2 hover:bg-hover aria-expanded:bg-hover'
const badge = 'h-5 rounded-badge bg-active px-2 text-xs text-ink2 [&>svg]:hidden'

interface RoleMenuProps {
  member: Member
  /** The roles that the signed-in person may give. */
  roles: readonly Role[]
  onGive: (role: Role) => void
  pending: boolean
  /** The pointer or the focus is in the row. */
  near: boolean
}

/** A member's role: looks like a badge, and becomes a button while the row has the pointer or the focus. */
export function RoleMenu({ member, roles, onGive, pending, near }: RoleMenuProps) {
  const [open, setOpen] = useState(false)
  return (
    <Menu
      label={`Role of ${member.email}`}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          aria-label={`${roleName(member.role)}: role of ${member.email}`}
          aria-busy={pending || undefined}
          className={cx(
            'inline-flex shrink-0 items-center font-medium select-none',
            near || open || pending ? button : badge,
          )}
        >
          <span>{roleName(member.role)}</span>
          {pending ? <Spinner /> : <ChevronDownIcon />}
        </button>
      }
    >
      <RoleItems roles={roles} current={member.role} onGive={onGive} />
    </Menu>
  )
}

/** The roles as items of a menu. */
export function RoleItems({
  roles,
  current,
  onGive,
}: {
  roles: readonly Role[]
  current: Role
  onGive: (role: Role) => void
}) {
  return roles.map((role) => (
    <MenuItem key={role} checked={role === current} onSelect={() => onGive(role)}>
      {roleName(role)}
    </MenuItem>
  ))
}
