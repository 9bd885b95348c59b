import type { Member } from '#web/data/people/members.ts'
import type { Role } from '#web/data/server/rows.ts'
import { useNarrow } from '#web/lib/use-narrow.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { DeleteIcon, EditIcon, MoreIcon, SignOutIcon } from '#web/ui/icons.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { mayRemove, roleName, rolesToGive } from './member-roles.ts'
import { RoleItems, RoleMenu } from './role-menu.tsx'
import { useGiveRole } from './use-give-role.ts'

interface MemberRowProps {
  member: Member
  /** The member's name; null if it is not on this device yet. */
  name: string | null
  isMe: boolean
  /** The role of the signed-in person; null while unknown. */
  mine: Role | null
  /** Whether a colleague added the member, and the member has not confirmed that yet with 'Open'. */
  isAdded: boolean
  onRemove: () => void
  onRename: () => void
  onLeave: () => void
}

/** A member's row: email address, name, joining date, role and a menu of actions. On the phone, the role is changed in this menu. */
export function MemberRow(props: MemberRowProps) {
  const { member, name, isMe, mine, isAdded } = props
  const isNarrow = useNarrow()
  const { pending, give } = useGiveRole(member, name ?? member.email)
  const roles = mine && !isMe ? rolesToGive(mine, member.role) : []
  const joinedText = `Joined ${joiningDateFormat.format(new Date(member.created_at))}${isAdded && !isMe ? ', added by a colleague' : ''}`
  const confirmHint = isAdded && isMe && 'Confirm by “Open” on the Overview'
  // Shown even if the member has worked in the brand for long: only 'Open' on the overview or on /select-brand confirms.
  const unconfirmedBadge = isAdded && (
    <span title="By “Open” on the Overview" className="flex shrink-0">
      <Badge>Not confirmed yet</Badge>
    </span>
  )
  return (
    <li className="flex min-h-14 items-center gap-3 border-b max-sm:items-start max-sm:py-3 border-line py-2 last:border-0">
      <Avatar name={name ?? member.email.split('@')[0]} size={32} />
      <div className="min-w-0 flex-1">
        <p title={member.email} className="truncate font-medium max-sm:whitespace-normal max-sm:wrap-anywhere">
          {member.email}
        </p>
        <p className="truncate text-xs text-ink2 max-sm:whitespace-normal max-sm:text-13/4">
          {[displayName(name, isMe), joinedText, !isNarrow && confirmHint].filter(Boolean).join(' · ')}
        </p>
        {isNarrow && confirmHint && <p className="text-13/4 text-ink2">{confirmHint}</p>}
        {isNarrow && (
          <div className="mt-1.5 flex gap-1.5">
            {unconfirmedBadge}
            <Badge>{roleName(member.role)}</Badge>
          </div>
        )}
      </div>
      {!isNarrow && unconfirmedBadge}
      {roles.length > 0 && !isNarrow && <RoleMenu member={member} roles={roles} onGive={give} pending={pending} />}
      {roles.length === 0 && !isNarrow && <Badge>{roleName(member.role)}</Badge>}
      <RowMenu {...props} pending={pending} roles={isNarrow ? roles : []} onGive={give} />
    </li>
  )
}

interface RowMenuProps extends MemberRowProps {
  pending: boolean
  /** The roles that the menu offers. Empty in a wide window, where `RoleMenu` offers them. */
  roles: readonly Role[]
  onGive: (role: Role) => void
}

function RowMenu({ member, isMe, mine, pending, roles, onGive, onRemove, onRename, onLeave }: RowMenuProps) {
  if (!isMe && !(mine && mayRemove(mine, member.role))) return <span className="-mr-2 w-8 shrink-0 max-sm:hidden" />
  const label = `Actions for ${member.email}`
  return (
    <Menu
      label={label}
      trigger={
        <IconButton
          label={label}
          tooltip={false}
          icon={<MoreIcon />}
          pending={pending}
          className="-mr-2 max-sm:-mt-2"
        />
      }
    >
      {isMe ? (
        <>
          <MenuItem icon={<EditIcon />} onSelect={onRename}>
            Change your name
          </MenuItem>
          <MenuItem icon={<SignOutIcon />} danger onSelect={onLeave}>
            Leave brand
          </MenuItem>
        </>
      ) : (
        <>
          {roles.length > 0 && (
            <>
              <RoleItems roles={roles} current={member.role} onGive={onGive} />
              <MenuSeparator />
            </>
          )}
          <MenuItem icon={<DeleteIcon />} danger onSelect={onRemove}>
            Remove from brand
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

const joiningDateFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

function displayName(name: string | null, isMe: boolean): string | null {
  if (!name) return isMe ? 'You' : null
  return isMe ? `${name} (you)` : name
}
