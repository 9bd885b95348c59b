import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { PersonIcon } from '#web/ui/icons.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { selectionActionClasses } from '#web/ui/selection-bar.tsx'

interface OwnerMenuProps {
  people: readonly { userId: string; name: string; isMe: boolean }[]
  /** Called with the chosen owner. `name` is the owner's name in the toast: 'Ana Pryce', 'no owner'. */
  onChoose: (userId: string | null, name: string) => void
}

/** The menu that sets the owner of the selected records. */
export function OwnerMenu({ people, onChoose }: OwnerMenuProps) {
  return (
    <Menu
      label="Owner"
      align="start"
      trigger={
        <Button variant="quiet" icon={<PersonIcon />} className={selectionActionClasses}>
          Owner
        </Button>
      }
    >
      {people.map(({ userId, name, isMe }) => (
        <MenuItem
          key={userId}
          icon={<Avatar name={name} size={20} />}
          hint={isMe ? 'You' : undefined}
          onSelect={() => onChoose(userId, name)}
        >
          {name}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={() => onChoose(null, 'no owner')}>No owner</MenuItem>
    </Menu>
  )
}
