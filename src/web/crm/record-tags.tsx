import { lazy, Suspense, useRef, useState } from 'react'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import { tagsIn, useTags } from '#web/data/tags.ts'
import { PlusIcon, TagIcon } from '#web/ui/icons.tsx'
import { TagChip } from './tag-chip.tsx'

const RecordTagPicker = lazy(async () => ({ default: (await import('./record-tag-picker.tsx')).RecordTagPicker }))

interface RecordTagsProps {
  table: OwnedTable
  id: string
  /** `tag_ids` of the record. */
  ids: readonly string[]
}

/** The tags of a record in its panel, and the button that changes them. */
export function RecordTags({ table, id, ids }: RecordTagsProps) {
  const tags = tagsIn(useTags(), ids)
  const [open, setOpen] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const close = (restoreFocus: boolean) => {
    setOpen(false)
    if (restoreFocus) frame.current?.querySelector('button')?.focus({ preventScroll: true })
  }
  return (
    <div ref={frame} className="flex flex-wrap items-center gap-1.5">
      {tags.length > 0 && (
        <ul aria-label="Tags" className="contents">
          {tags.map(({ id: tagId, name, color }) => (
            <li key={tagId} className="flex min-w-0">
              <TagChip name={name} color={color} />
            </li>
          ))}
        </ul>
      )}
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={tags.length > 0 ? 'Change tags' : 'Add tags'}
        onClick={() => setOpen(!open)}
        className="relative flex h-5 items-center gap-1 rounded-badge max-sm:before:absolute max-sm:before:-inset-1.5 px-1.5 text-xs text-ink3 ring-1 ring-line2 ring-inset hover:bg-hover hover:text-ink aria-expanded:bg-hover max-sm:h-8 max-sm:px-2.5 max-sm:text-[13px]"
      >
        {tags.length > 0 ? <PlusIcon className="size-3.5" /> : <TagIcon className="size-3.5" />}
        {tags.length === 0 && 'Add tags'}
      </button>
      <Suspense>{open && <RecordTagPicker table={table} id={id} ids={ids} anchor={frame} onClose={close} />}</Suspense>
    </div>
  )
}
