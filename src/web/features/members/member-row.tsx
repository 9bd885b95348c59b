import { useState } from 'react'
import type { Member } from '#web/data/members.ts'
import type { Role } from '#web/data/rows.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { DeleteIcon, EditIcon, MoreIcon, SignOutIcon } from '#web/ui/icons.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { mayRemove, roleName, rolesToGive } from './may-change.ts'
import { RoleMenu } from './role-menu.tsx'

interface MemberRowProps {
  member: Member
  /** What they call themselves; null: not known on this device yet. */
  name: string | null
  isMe: boolean
  /** My role, null while it is not known. */
  mine: Role | null
  onRemove: () => void
  onRename: () => void
  onLeave: () => void
}

/** One member: e-mail, name, since when, role, and what I may do about it. */
export function MemberRow({ member, name, isMe, mine, onRemove, onRename, onLeave }: MemberRowProps) {
  const [near, setNear] = useState(false)
  const roles = mine && !isMe ? rolesToGive(mine, member.role) : []
  const removable = mine !== null && !isMe && mayRemove(mine, member.role)
  const since = `Joined ${joined.format(new Date(member.created_at))}`
  return (
    <li
      className="flex min-h-14 items-center gap-3 border-b border-line py-2 last:border-0"
      onPointerEnter={() => setNear(true)}
      onPointerLeave={() => setNear(false)}
      onFocus={() => setNear(true)}
      onBlur={() => setNear(false)}
    >
      <Avatar name={name ?? member.email.split('@')[0]} size={32} />
      <div className="min-w-0 flex-1">
        <p title={member.email} className="truncate font-medium">
          {member.email}
        </p>
        <p className="truncate text-xs text-ink2">{[called(name, isMe), since].filter(Boolean).join(' · ')}</p>
      </div>
      {roles.length > 0 ? (
        <RoleMenu member={member} roles={roles} near={near} />
      ) : (
        <Badge>{roleName(member.role)}</Badge>
      )}
      {isMe || removable ? (
        <Menu
          label={`Actions for ${member.email}`}
          trigger={
            <IconButton label={`Actions for ${member.email}`} tooltip={false} icon={<MoreIcon />} className="-mr-2" />
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
            <MenuItem icon={<DeleteIcon />} danger onSelect={onRemove}>
              Remove from brand
            </MenuItem>
          )}
        </Menu>
      ) : (
        <span className="-mr-2 w-8 shrink-0 max-sm:hidden" />
      )}
    </li>
  )
}

const joined = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

function called(name: string | null, isMe: boolean): string | null {
  if (!name) return isMe ? 'You' : null
  return isMe ? `${name} (you)` : name
}
