import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { fold } from '#web/data/query/search-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Input } from '#web/ui/input.tsx'
import { useBackCloses } from '#web/ui/use-back-closes.ts'
import { useOutside, usePopup } from '#web/ui/use-popup.ts'
import { type Facet, useFacets } from './facets.tsx'
import type { FilterProps } from './list-filters.ts'

/** With more options than this a field over the facets finds them. */
const searchFrom = 9

interface FilterPanelProps extends FilterProps {
  anchor: RefObject<HTMLElement | null>
  onClose: (restoreFocus: boolean) => void
}

/** The facets of a list with a box for each value: what is ticked is shown at once. */
export function FilterPanel({ table, filters, onChange, anchor, onClose }: FilterPanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  const facets = useFacets(table)
  const [typed, setTyped] = useState('')
  const count = facets.flatMap(({ options }) => options).length
  usePopup(true, anchor, panel)
  useOutside(true, [panel, anchor], () => onClose(false))
  useBackCloses(true, () => onClose(true))
  useEffect(() => panel.current?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true }), [])
  const words = fold(typed.trim())
  const shown = facets
    .map((facet) => ({ ...facet, options: facet.options.filter(({ label }) => fold(label).includes(words)) }))
    .filter(({ options }) => options.length > 0)
  const toggle = (key: string, value: string) => {
    const chosen = filters[key] ?? []
    const next = chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value]
    onChange({ ...filters, [key]: next })
  }
  return (
    <div
      ref={panel}
      role="dialog"
      aria-label="Filter"
      popover="manual"
      className="rise w-72 rounded-card bg-raised p-1.5 text-sm text-ink shadow-pop"
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Escape') {
          event.preventDefault()
          onClose(true)
        }
        if (moveThrough(event.key, panel.current)) event.preventDefault()
      }}
    >
      {count >= searchFrom && (
        <div className="p-1 pb-2">
          <Input
            aria-label="Find a filter"
            placeholder="Find…"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
      )}
      <div className="max-h-[min(320px,calc(var(--room)-7rem))] overflow-y-auto">
        {shown.map((facet) => (
          <Options key={facet.key} facet={facet} chosen={filters[facet.key] ?? []} onToggle={toggle} />
        ))}
        {shown.length === 0 && (
          <p className="px-2.5 py-1.5 text-pretty text-ink3">
            {count === 0 ? 'There are no tags yet to filter by.' : 'No matches'}
          </p>
        )}
      </div>
      {Object.values(filters).some((chosen) => chosen.length > 0) && (
        <div className="mt-1.5 border-t border-line pt-1.5">
          <Button variant="quiet" onClick={() => onChange({})} className="w-full">
            Clear
          </Button>
        </div>
      )}
    </div>
  )
}

function Options({
  facet: { key, label, options },
  chosen,
  onToggle,
}: {
  facet: Facet
  chosen: readonly string[]
  onToggle: (key: string, value: string) => void
}) {
  const titleId = useId()
  return (
    <div role="group" aria-labelledby={titleId}>
      <p id={titleId} className="px-2.5 py-1 text-xs text-ink3">
        {label}
      </p>
      {options.map(({ value, label: name, icon }) => (
        <label
          key={value}
          className="flex h-8 cursor-pointer items-center gap-3 rounded-control px-2.5 hover:bg-hover max-sm:h-11 dark:hover:bg-active"
        >
          <Checkbox checked={chosen.includes(value)} onChange={() => onToggle(key, value)} />
          {icon}
          <span className="min-w-0 flex-1 truncate" title={name}>
            {name}
          </span>
        </label>
      ))}
    </div>
  )
}

/** Arrow keys lead from box to box. Returns whether the key did. */
function moveThrough(key: string, panel: HTMLElement | null): boolean {
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return false
  const boxes = [...(panel?.querySelectorAll<HTMLElement>('input') ?? [])]
  const at = boxes.findIndex((box) => box === document.activeElement)
  boxes.at((at + (key === 'ArrowDown' ? 1 : -1)) % boxes.length)?.focus()
  return true
}
