import { Suspense, useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { TagIcon } from '#web/ui/icons.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { selectionActionClasses } from '#web/ui/selection-bar.tsx'
import type { ChosenTag } from './bulk-tag-picker.tsx'

const BulkTagPicker = lazyComponent(async () => (await import('./bulk-tag-picker.tsx')).BulkTagPicker)

interface TagMenuProps {
  onAdd: (tag: ChosenTag) => void
  onRemove: (tag: ChosenTag) => void
}

/**
 * The menu that adds a tag to the selected records, or removes one from them. The tag is chosen in a picker and not in the menu, because
 * typed letters in a menu move between its items.
 */
export function TagMenu({ onAdd, onRemove }: TagMenuProps) {
  const [picking, setPicking] = useState<'add' | 'remove' | null>(null)
  const frame = useRef<HTMLDivElement>(null)
  const close = (restoreFocus: boolean) => {
    setPicking(null)
    if (restoreFocus) frame.current?.querySelector('button')?.focus({ preventScroll: true })
  }
  return (
    <div ref={frame} className="flex">
      <Menu
        label="Tags"
        align="start"
        trigger={
          <Button variant="quiet" icon={<TagIcon />} className={selectionActionClasses}>
            Tags
          </Button>
        }
      >
        <MenuItem onSelect={() => setPicking('add')}>Add tag…</MenuItem>
        <MenuItem onSelect={() => setPicking('remove')}>Remove tag…</MenuItem>
      </Menu>
      <Suspense>
        {picking && (
          <BulkTagPicker
            key={picking}
            isAdding={picking === 'add'}
            anchor={frame}
            onChoose={picking === 'add' ? onAdd : onRemove}
            onClose={close}
          />
        )}
      </Suspense>
    </div>
  )
}
