import { useDevice } from '#web/data/browser/device.ts'
import { addTag, maxTagsOfRecord } from '#web/data/change-tags.ts'
import { toast } from '#web/ui/toast.ts'
import { TagChips, useTagChipsPicker } from './tag-chips.tsx'
import { TagPicker } from './tag-picker.tsx'

interface NewRecordTagsProps {
  ids: readonly string[]
  /** Adds a tag to the record if `isAdded` is true, and removes it if `isAdded` is false. */
  onSet: (tagId: string, isAdded: boolean) => void
}

/** The tags of a record that is not created yet. A new tag is created at once, before the record. */
export function NewRecordTags({ ids, onSet }: NewRecordTagsProps) {
  const device = useDevice()
  const { isOpen, frame, toggle, close } = useTagChipsPicker()
  const isFull = ids.length >= maxTagsOfRecord
  const refuse = (description: string) => toast.error('Error adding tag', { description })
  const fullMessage = `A record has at most ${maxTagsOfRecord} tags.`
  async function createTag(name: string) {
    const creation = addTag(device, name)
    onSet(creation.id, true)
    const outcome = await creation.outcome
    if (outcome.status !== 'refused' && outcome.id === creation.id) return
    onSet(creation.id, false)
    if (outcome.status === 'refused') refuse(outcome.message)
    else onSet(outcome.id, true)
  }
  return (
    <TagChips ids={ids} frame={frame} isOpen={isOpen} onToggle={toggle}>
      {isOpen && (
        <TagPicker
          label="Tags"
          ids={ids}
          anchor={frame}
          onTake={({ id }) => {
            if (isFull && !ids.includes(id)) refuse(fullMessage)
            else onSet(id, !ids.includes(id))
          }}
          onMake={(name) => {
            if (isFull) refuse(fullMessage)
            else void createTag(name)
          }}
          onClose={close}
        />
      )}
    </TagChips>
  )
}
