import { MineToggle } from '#web/crm/mine-toggle.tsx'
import { usePeople } from '#web/data/people/people.ts'
import { cx } from '#web/lib/class-names.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { ChevronDownIcon, PeopleIcon } from '#web/ui/icons.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'

const chosenClass = 'left-0 z-1 bg-accent-soft text-accent-text ring-accent max-sm:sticky'

/** Filters the board by owner: 'Mine', and a menu with everybody, nobody and each member. `owner`: the value in the URL. */
export function OwnerFilter({
  owner,
  onChange,
}: {
  owner: string | undefined
  onChange: (owner: string | undefined) => void
}) {
  const { members, byId } = usePeople()
  const isMember = (id: string | undefined) => members.some(({ userId }) => userId === id)
  const isOther = owner !== undefined && owner !== 'mine'
  const name = !isOther ? null : owner === 'none' ? 'No owner' : (byId(owner)?.name ?? '…')
  const item = (value: string | undefined, label: string, itemProps = {}) => (
    <MenuItem key={value ?? ''} {...itemProps} checked={owner === value} onSelect={() => onChange(value)}>
      {label}
    </MenuItem>
  )

  return (
    <>
      <MineToggle
        pressed={owner === 'mine'}
        onChange={(on) => onChange(on ? 'mine' : undefined)}
        className="left-0 z-1 max-sm:aria-pressed:sticky"
      />
      <Menu
        label="Owner"
        trigger={
          <Button
            icon={isOther && owner !== 'none' ? <Avatar name={name} size={20} /> : <PeopleIcon />}
            aria-label={`Owner: ${name ?? (owner ? 'me' : 'everybody')}`}
            className={cx('max-w-44 max-sm:px-3 @max-4xl:max-w-28', isOther && chosenClass)}
          >
            <span className={cx('min-w-0 truncate', !isOther && 'max-sm:sr-only @max-4xl:sr-only')}>
              {name ?? 'Owner'}
            </span>
            <ChevronDownIcon className="-mr-1 size-3.5 shrink-0" />
          </Button>
        }
      >
        {item(undefined, 'Everybody')}
        {item('mine', 'Mine')}
        {item('none', 'No owner')}
        <MenuSeparator />
        {members.map(({ userId, name: member, isMe }) =>
          item(userId, member, { icon: <Avatar name={member} size={20} />, hint: isMe && 'You' }),
        )}
        {isOther && owner !== 'none' && !isMember(owner) && name && item(owner, name)}
      </Menu>
    </>
  )
}
