import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { limits } from '#shared/limits.ts'
import { useDevice } from '#web/data/browser/device.ts'
import { addTag, mostTagsOfRecord, setTags } from '#web/data/change-tags.ts'
import { useActiveBrand } from '#web/data/people/active-brand.ts'
import { fold } from '#web/data/query/search-text.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import { tagNamed, tagsIn, useTags } from '#web/data/tags.ts'
import { CheckIcon, PlusIcon } from '#web/ui/icons.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast.ts'
import { useActiveOption } from '#web/ui/use-active-option.ts'
import { useBackCloses } from '#web/ui/use-back-closes.ts'
import { useListKeys } from '#web/ui/use-list-keys.ts'
import { useOutside, usePopup } from '#web/ui/use-popup.ts'
import { TagDot } from './tag-chip.tsx'

interface TagPickerProps {
  table: OwnedTable
  id: string
  ids: readonly string[]
  anchor: RefObject<HTMLElement | null>
  onClose: (restoreFocus: boolean) => void
}

/**
 * Chooses the tags of a record: a field that finds them, and a list in which Enter or a click ticks one. Admins and owners make the tag that
 * they typed and that is not there; members read who can.
 */
export function TagPicker({ table, id, ids, anchor, onClose }: TagPickerProps) {
  const device = useDevice()
  const all = useTags()
  const { brand } = useActiveBrand()
  const [typed, setTyped] = useState('')
  const panel = useRef<HTMLDivElement>(null)
  const words = typed.trim()
  const chosen = new Set(ids)
  const found = all.tags.filter(({ name }) => fold(name).includes(fold(words)))
  const isFull = tagsIn(all, ids).length >= mostTagsOfRecord
  const mayAdd = brand !== null && brand.role !== 'member'
  const problem = /[,;]/.test(words) ? 'A tag has no comma and no semicolon in its name.' : null
  const offers = words !== '' && mayAdd && !problem && !tagNamed(all.tags, words)
  const count = found.length + (offers ? 1 : 0)
  const { at, lead, field, list, option } = useActiveOption(true, count)
  const leadsTo = useListKeys(true)
  usePopup(true, anchor, panel)
  useOutside(true, [panel, anchor], () => onClose(false))
  useBackCloses(true, () => onClose(true))
  useEffect(() => panel.current?.querySelector('input')?.focus({ preventScroll: true }), [])

  const say = (saved: Promise<Outcome>, title: string) =>
    void saved.then((outcome) => outcome.status === 'refused' && toast.error(title, { description: outcome.message }))
  const take = (index: number) => {
    const tag = found[index]
    const isOn = tag && chosen.has(tag.id)
    if (!isOn && isFull) return toast.error('Error adding tag', { description: fullSentence })
    let tagId = tag?.id
    if (tagId === undefined) {
      if (!offers) return
      const made = addTag(device, words)
      tagId = made.id
      say(made.outcome, 'Error adding tag')
    }
    const edit = isOn ? { add: [], remove: [tagId] } : { add: [tagId], remove: [] }
    say(setTags(device, table, id, edit), 'Error changing tags')
    setTyped('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp')
      lead(
        leadsTo(event, [...found.map(({ name }) => ({ label: name })), ...(offers ? [{ label: words }] : [])], at) ??
          -1,
      )
    else if (key === 'Enter') take(at)
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
      aria-label="Tags"
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
        aria-multiselectable
        className="max-h-[min(288px,calc(var(--room)-5rem))] overflow-y-auto"
      >
        {found.map(({ id: tagId, name, color }, index) => (
          <div key={tagId} {...option(index, () => take(index))} aria-selected={chosen.has(tagId)}>
            <TagDot color={color} />
            <span className="min-w-0 flex-1 truncate" title={name}>
              {name}
            </span>
            {chosen.has(tagId) && <CheckIcon className="shrink-0 text-accent-text" />}
          </div>
        ))}
        {offers && (
          <div {...option(found.length, () => take(found.length))} aria-selected={false}>
            <PlusIcon className="shrink-0 text-accent-text" />
            <span className="truncate">Add “{words}”</span>
          </div>
        )}
      </div>
      {count === 0 && (
        <p role="status" className="px-2.5 py-1.5 text-pretty text-ink3">
          {problem ?? emptySentence(all.tags.length === 0, mayAdd)}
        </p>
      )}
    </div>
  )
}

const fullSentence = `A record has at most ${mostTagsOfRecord} tags.`

function emptySentence(hasNone: boolean, mayAdd: boolean): string {
  if (mayAdd) return 'Type a name to add a tag.'
  return `${hasNone ? 'There are no tags yet' : 'No tag has this name'}. Admins and owners can add tags.`
}
