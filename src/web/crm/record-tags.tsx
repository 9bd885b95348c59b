import type { OwnedTable } from '#web/data/store/record-tables.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { TagChips, useTagChipsPicker } from './tag-chips.tsx'

const RecordTagPicker = lazyComponent(async () => (await import('./record-tag-picker.tsx')).RecordTagPicker)

interface RecordTagsProps {
  table: OwnedTable
  id: string
  /** The ids of the record's tags (`tag_ids`). */
  ids: readonly string[]
}

/** The tags of a record in its panel, and the button that changes them. */
export function RecordTags({ table, id, ids }: RecordTagsProps) {
  const { isOpen, frame, toggle, close } = useTagChipsPicker()
  return (
    <TagChips ids={ids} frame={frame} isOpen={isOpen} onToggle={toggle}>
      {isOpen && <RecordTagPicker table={table} id={id} ids={ids} anchor={frame} onClose={close} />}
    </TagChips>
  )
}
