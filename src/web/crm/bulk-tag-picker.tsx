import type { RefObject } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import { addTag } from '#web/data/change-tags.ts'
import type { Tag } from '#web/data/server/rows.ts'
import { toast } from '#web/ui/toast.ts'
import { TagPicker } from './tag-picker.tsx'

export type ChosenTag = Pick<Tag, 'id' | 'name'>

interface BulkTagPickerProps {
  /** True if the chosen tag is added to the records; then a new tag can be created, too. False if it is removed from them. */
  isAdding: boolean
  anchor: RefObject<HTMLElement | null>
  onChoose: (tag: ChosenTag) => void
  onClose: (restoreFocus: boolean) => void
}

/** Chooses one tag to add to many records, or to remove from them. A new tag can be created. Closes after the choice. */
export function BulkTagPicker({ isAdding, anchor, onChoose, onClose }: BulkTagPickerProps) {
  const device = useDevice()
  /** Creates a tag and waits for it, because the server must know the tag before it adds it to the matching records. */
  async function make(name: string) {
    const made = addTag(device, name)
    onClose(true)
    const outcome = await made.outcome
    if (outcome.status === 'refused') toast.error('Error adding tag', { description: outcome.message })
    else onChoose({ id: (outcome.status === 'saved' && outcome.id) || made.id, name })
  }
  return (
    <TagPicker
      label={isAdding ? 'Add tag' : 'Remove tag'}
      anchor={anchor}
      onTake={(tag) => {
        onClose(true)
        onChoose(tag)
      }}
      onMake={isAdding ? (name) => void make(name) : undefined}
      onClose={onClose}
    />
  )
}
