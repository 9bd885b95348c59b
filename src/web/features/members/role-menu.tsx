import type { Member } from '#web/data/people/members.ts'
import type { Role } from '#web/data/server/rows.ts'
import { ChevronDownIcon } from '#web/ui/icons.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { roleName } from './member-roles.ts'

interface RoleMenuProps {
  member: Member
  /** The roles that the signed-in person may give. */
  roles: readonly Role[]
  onGive: (role: Role) => void
  pending: boolean
}

/** A member's role as a button that opens a menu of roles. For a role that cannot be changed, `MemberRow` shows a badge instead. */
export function RoleMenu({ member, roles, onGive, pending }: RoleMenuProps) {
  return (
    <Menu
      label={`Role of ${member.email}`}
      trigger={
        <button
          type="button"
          aria-label={`${roleName(member.role)}: role of ${member.email}`}
          aria-busy={pending || undefined}
          className="inline-flex h-7 shrink-0 items-center gap-1.5 rounded-control bg-surface pr-1.5 pl-2.5 text-xs font-medium text-ink ring-1 ring-line2 select-none ring-inset hover:bg-hover aria-expanded:bg-hover"
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
