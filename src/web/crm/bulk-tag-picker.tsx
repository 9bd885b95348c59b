import type { RefObject } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import { addTag } from '#web/data/change-tags.ts'
import type { Tag } from '#web/data/server/rows.ts'
import { toast } from '#web/ui/toast.ts'
import { TagPicker } from './tag-picker.tsx'

export type ChosenTag = Pick<Tag, 'id' | 'name'>

interface BulkTagPickerProps {
  /** True to add the chosen tag to the records; a new tag can then be created, too. False to remove the tag from the records. */
  isAdding: boolean
  anchor: RefObject<HTMLElement | null>
  onChoose: (tag: ChosenTag) => void
  onClose: (restoreFocus: boolean) => void
}

/** Lets the person choose one tag to add to many records, or to remove from them. Closes after the choice. */
export function BulkTagPicker({ isAdding, anchor, onChoose, onClose }: BulkTagPickerProps) {
  const device = useDevice()
  /** Creates a tag and waits for the response: the server can add a tag to records only after it has stored the tag. */
  async function createAndChoose(name: string) {
    const creation = addTag(device, name)
    onClose(true)
    const outcome = await creation.outcome
    if (outcome.status === 'refused') toast.error('Error adding tag', { description: outcome.message })
    else onChoose({ id: (outcome.status === 'saved' && outcome.id) || creation.id, name })
  }
  return (
    <TagPicker
      label={isAdding ? 'Add tag' : 'Remove tag'}
      anchor={anchor}
      onTake={(tag) => {
        onClose(true)
        onChoose(tag)
      }}
      onMake={isAdding ? (name) => void createAndChoose(name) : undefined}
      onClose={onClose}
    />
  )
}
