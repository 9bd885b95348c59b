import { type ReactNode, type RefObject, Suspense, useRef, useState } from 'react'
import { tagsIn, useTags } from '#web/data/tags.ts'
import { PlusIcon, TagIcon } from '#web/ui/icons.tsx'
import { TagChip } from './tag-chip.tsx'

/** Keeps the state of the picker of `TagChips`: whether it is open, and the functions that open and close it. */
export function useTagChipsPicker() {
  const [isOpen, setOpen] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const close = (restoreFocus: boolean) => {
    setOpen(false)
    if (restoreFocus) frame.current?.querySelector('button')?.focus({ preventScroll: true })
  }
  return { isOpen, frame, close, toggle: () => setOpen(!isOpen) }
}

interface TagChipsProps {
  ids: readonly string[]
  frame: RefObject<HTMLDivElement | null>
  isOpen: boolean
  onToggle: () => void
  /** The picker. Pass it only while it is open. */
  children: ReactNode
}

/** Tags as chips, and the button that opens their picker. */
export function TagChips({ ids, frame, isOpen, onToggle, children }: TagChipsProps) {
  const tags = tagsIn(useTags(), ids)
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
        aria-expanded={isOpen}
        aria-label={tags.length > 0 ? 'Change tags' : 'Add tags'}
        onClick={onToggle}
        className="relative flex h-5 pointer-coarse:min-h-6 items-center gap-1 rounded-badge max-sm:before:absolute max-sm:before:-inset-1.5 px-1.5 text-xs text-ink3 ring-1 ring-line2 ring-inset hover:bg-hover hover:text-ink aria-expanded:bg-hover max-sm:h-8 max-sm:px-2.5 max-sm:text-13"
      >
        {tags.length > 0 ? <PlusIcon className="size-3.5" /> : <TagIcon className="size-3.5" />}
        {tags.length === 0 && 'Add tags'}
      </button>
      <Suspense>{children}</Suspense>
    </div>
  )
}
