import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { limits } from '#shared/limits.ts'
import { useActiveBrand } from '#web/data/people/active-brand.ts'
import { isPartOfLabel } from '#web/data/query/search-text.ts'
import type { Tag } from '#web/data/server/rows.ts'
import { tagNamed, useTags } from '#web/data/tags.ts'
import { isComposing } from '#web/lib/is-composing.ts'
import { CheckIcon, PlusIcon } from '#web/ui/icons.tsx'
import { Input } from '#web/ui/input.tsx'
import { useActiveOption } from '#web/ui/use-active-option.ts'
import { useBackCloses } from '#web/ui/use-back-closes.ts'
import { useListKeys } from '#web/ui/use-list-keys.ts'
import { useCloseFromOutside, usePopup } from '#web/ui/use-popup.ts'
import { TagDot } from './tag-chip.tsx'

interface TagPickerProps {
  label: string
  /** The ids of the tags that are ticked. Without `ids`, no tag has a tick. */
  ids?: readonly string[]
  anchor: RefObject<HTMLElement | null>
  onTake: (tag: Tag) => void
  /** Called to create the typed tag. Without `onMake`, the picker does not offer to create a tag. */
  onMake?: ((name: string) => void) | undefined
  onClose: (restoreFocus: boolean) => void
}

/**
 * A search field for tags, and a list in which Enter or a click chooses a tag. If the typed tag does not exist, admins and owners can
 * create it; members see who can create it.
 */
export function TagPicker({ label, ids, anchor, onTake, onMake, onClose }: TagPickerProps) {
  const brandTags = useTags()
  const { brand } = useActiveBrand()
  const [typed, setTyped] = useState('')
  const panel = useRef<HTMLDivElement>(null)
  const typedName = typed.trim()
  const chosen = new Set(ids)
  const matchingTags = brandTags.tags.filter(({ name }) => isPartOfLabel(name, typedName))
  const mayAdd = onMake !== undefined && brand !== null && brand.role !== 'member'
  const problem = onMake && /[,;]/.test(typedName) ? 'A tag has no comma and no semicolon in its name.' : null
  const offersNewTag = typedName !== '' && mayAdd && !problem && !tagNamed(brandTags.tags, typedName)
  const count = matchingTags.length + (offersNewTag ? 1 : 0)
  const { at, lead, field, list, option } = useActiveOption(true, count)
  const indexForKey = useListKeys(true)
  usePopup(true, anchor, panel)
  useCloseFromOutside(true, [panel, anchor], () => onClose(false))
  useBackCloses(true, () => onClose(true))
  useEffect(() => panel.current?.querySelector('input')?.focus({ preventScroll: true }), [])

  const takeOption = (index: number) => {
    const tag = matchingTags[index]
    if (tag) onTake(tag)
    else if (offersNewTag) onMake?.(typedName)
    else return
    setTyped('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp')
      lead(
        indexForKey(
          event,
          [...matchingTags.map(({ name }) => ({ label: name })), ...(offersNewTag ? [{ label: typedName }] : [])],
          at,
        ) ?? -1,
      )
    else if (key === 'Enter') takeOption(at)
    else if (key === 'Escape') onClose(true)
    else if (key === 'Tab') return onClose(false)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      ref={panel}
      role="dialog"
      aria-label={label}
      popover="manual"
      className="rise w-72 rounded-card bg-raised p-1.5 text-sm text-ink shadow-pop"
    >
      <div className="p-1 pb-2">
        <Input
          {...field}
          role="combobox"
          aria-autocomplete="list"
          aria-label={mayAdd ? 'Find or add a tag' : 'Find a tag'}
          placeholder={mayAdd ? 'Find or add a tag…' : 'Find a tag…'}
          autoComplete="off"
          spellCheck={false}
          maxLength={limits.tags.name}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            lead(event.target.value.trim() ? 0 : -1)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        {...list}
        aria-label="Tags"
        aria-multiselectable={ids && true}
        className="max-h-[min(18rem,calc(var(--room)-5rem))] overflow-y-auto"
      >
        {matchingTags.map(({ id: tagId, name, color }, index) => (
          <div key={tagId} {...option(index, () => takeOption(index))} aria-selected={chosen.has(tagId)}>
            <TagDot color={color} />
            <span className="min-w-0 flex-1 truncate" title={name}>
              {name}
            </span>
            {chosen.has(tagId) && <CheckIcon className="shrink-0 text-accent-text" />}
          </div>
        ))}
        {offersNewTag && (
          <div {...option(matchingTags.length, () => takeOption(matchingTags.length))} aria-selected={false}>
            <PlusIcon className="shrink-0 text-accent-text" />
            <span className="truncate">Add “{typedName}”</span>
          </div>
        )}
      </div>
      {count === 0 && (
        <p role="status" className="px-2.5 py-1.5 text-pretty text-ink3">
          {problem ?? emptySentence(brandTags.tags.length === 0, mayAdd, onMake !== undefined)}
        </p>
      )}
    </div>
  )
}

function emptySentence(hasNoTags: boolean, mayAdd: boolean, isForAdding: boolean): string {
  if (mayAdd) return 'Type a name to add a tag.'
  const missingSentence = hasNoTags ? 'There are no tags yet.' : 'No tag has this name.'
  return isForAdding ? `${missingSentence} Admins and owners can add tags.` : missingSentence
}
