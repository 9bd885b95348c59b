import type { RefObject } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import { addTag, maxTagsOfRecord, setTags } from '#web/data/change-tags.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import { tagsIn, useTags } from '#web/data/tags.ts'
import { toast } from '#web/ui/toast.ts'
import { TagPicker } from './tag-picker.tsx'

interface RecordTagPickerProps {
  table: OwnedTable
  id: string
  ids: readonly string[]
  anchor: RefObject<HTMLElement | null>
  onClose: (restoreFocus: boolean) => void
}

/** Adds and removes the tags of a record, and creates new tags. */
export function RecordTagPicker({ table, id, ids, anchor, onClose }: RecordTagPickerProps) {
  const device = useDevice()
  const isFull = tagsIn(useTags(), ids).length >= maxTagsOfRecord
  const refuse = () => toast.error('Error adding tag', { description: fullSentence })
  const showRefusal = (saved: Promise<Outcome>, title: string) =>
    void saved.then((outcome) => outcome.status === 'refused' && toast.error(title, { description: outcome.message }))
  const add = (tagId: string) =>
    showRefusal(setTags(device, table, id, { add: [tagId], remove: [] }), 'Error changing tags')
  return (
    <TagPicker
      label="Tags"
      ids={ids}
      anchor={anchor}
      onTake={(tag) => {
        if (ids.includes(tag.id))
          showRefusal(setTags(device, table, id, { add: [], remove: [tag.id] }), 'Error changing tags')
        else if (isFull) refuse()
        else add(tag.id)
      }}
      onMake={(name) => {
        if (isFull) return refuse()
        const creation = addTag(device, name)
        showRefusal(creation.outcome, 'Error adding tag')
        add(creation.id)
      }}
      onClose={onClose}
    />
  )
}

const fullSentence = `A record has at most ${maxTagsOfRecord} tags.`
