import type { RefObject } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import { addTag } from '#web/data/change-tags.ts'
import type { Tag } from '#web/data/server/rows.ts'
import { toast } from '#web/ui/toast.ts'
import { TagPicker } from './tag-picker.tsx'

export type ChosenTag = Pick<Tag, 'id' | 'name'>

interface BulkTagPickerProps {
  /** It can make a tag. */
  isAdding: boolean
  anchor: RefObject<HTMLElement | null>
  onChoose: (tag: ChosenTag) => void
  onClose: (restoreFocus: boolean) => void
}

/** Finds the one tag that many records get or lose, or makes it. It closes with the choice. */
export function BulkTagPicker({ isAdding, anchor, onChoose, onClose }: BulkTagPickerProps) {
  const device = useDevice()
  /** The tag is there before the records get it: all that match are changed by the server itself. */
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
