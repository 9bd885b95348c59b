import { useActiveBrand } from '#web/data/people/active-brand.ts'
import type { Tag } from '#web/data/server/rows.ts'
import { useTags } from '#web/data/tags.ts'
import { Button } from '#web/ui/button.tsx'
import { TagIcon } from '#web/ui/icons.tsx'
import { Menu, MenuItem, Submenu } from '#web/ui/menu.tsx'
import { TagDot } from './tag-chip.tsx'

interface TagMenuProps {
  onAdd: (tag: Tag) => void
  onRemove: (tag: Tag) => void
}

/** The menu that gives the selected records a tag, or takes one away from them. */
export function TagMenu({ onAdd, onRemove }: TagMenuProps) {
  const { tags } = useTags()
  const { brand } = useActiveBrand()
  const items = (onSelect: (tag: Tag) => void) =>
    tags.map((tag) => (
      <MenuItem key={tag.id} icon={<TagDot color={tag.color} />} onSelect={() => onSelect(tag)}>
        {tag.name}
      </MenuItem>
    ))
  return (
    <Menu
      label="Tags"
      align="start"
      trigger={
        <Button variant="quiet" icon={<TagIcon />}>
          Tags
        </Button>
      }
    >
      {tags.length === 0 ? (
        <MenuItem disabled onSelect={() => {}}>
          {brand?.role === 'member' ? 'No tags yet: admins and owners add them' : 'No tags yet: add them in Settings'}
        </MenuItem>
      ) : (
        <>
          <Submenu label="Add tag">{items(onAdd)}</Submenu>
          <Submenu label="Remove tag">{items(onRemove)}</Submenu>
        </>
      )}
    </Menu>
  )
}
