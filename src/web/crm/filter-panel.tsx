import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { isPartOfLabel } from '#web/data/query/search-text.ts'
import { isComposing } from '#web/lib/is-composing.ts'
import { useNarrow } from '#web/lib/use-narrow.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Input } from '#web/ui/input.tsx'
import { useBackCloses } from '#web/ui/use-back-closes.ts'
import { useCloseFromOutside, usePopup } from '#web/ui/use-popup.ts'
import { type Facet, useFacets } from './facets.tsx'
import type { FilterProps } from './list-filters.ts'
import { RangeFacet } from './range-facet.tsx'

/** With at least this many options, a search field is shown above the facets. A range counts as two options. */
const minSearchedOptions = 9

interface FilterPanelProps extends FilterProps {
  anchor: RefObject<HTMLElement | null>
  onClose: (restoreFocus: boolean) => void
}

/**
 * The facets of a list, each with a checkbox for each value, or with two bounds. A tick takes effect at once. On the phone the facets are in a sheet.
 */
export function FilterPanel(props: FilterPanelProps) {
  const panelProps = { ...props, onClose: (restoreFocus: boolean) => closeAfterBlur(() => props.onClose(restoreFocus)) }
  return useNarrow() ? <FilterSheet {...panelProps} /> : <FilterPopup {...panelProps} />
}

/**
 * Closes the panel after the focused field has lost the focus. A typed bound is applied on blur, and removing the panel causes no blur
 * event.
 */
function closeAfterBlur(close: () => void): void {
  const active = document.activeElement
  if (active instanceof HTMLElement && isInRange(active)) active.blur()
  close()
}

function FilterPopup({ anchor, onClose, ...props }: FilterPanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  usePopup(true, anchor, panel)
  useCloseFromOutside(true, [panel, anchor], () => onClose(false))
  useBackCloses(true, () => onClose(true))
  useEffect(() => panel.current?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true }), [])
  return (
    <div
      ref={panel}
      role="dialog"
      aria-label="Filter"
      popover="manual"
      className="rise w-72 rounded-card bg-raised p-1.5 text-sm text-ink shadow-pop"
      onKeyDown={(event) => {
        event.stopPropagation()
        if (isComposing(event)) return
        if (event.key === 'Escape') {
          event.preventDefault()
          onClose(true)
        }
        if (!isInRange(event.target) && moveFocusByKey(event.key, panel.current)) event.preventDefault()
      }}
    >
      <FilterOptions {...props} listClass="max-h-[min(30rem,calc(var(--room)-7rem))] overflow-y-auto" />
      {hasFilters(props.filters) && (
        <div className="mt-1.5 border-t border-line pt-1.5">
          <Button variant="quiet" onClick={() => props.onChange(() => ({}))} className="w-full">
            Clear
          </Button>
        </div>
      )}
      {props.children && <div className="mt-1.5 border-t border-line pt-1.5 empty:hidden">{props.children}</div>}
    </div>
  )
}

function FilterSheet({ onClose, ...props }: Omit<FilterPanelProps, 'anchor'>) {
  return (
    <Dialog
      open
      onClose={() => onClose(true)}
      title="Filter"
      footer={
        <>
          <Button size="form" disabled={!hasFilters(props.filters)} onClick={() => props.onChange(() => ({}))}>
            Clear
          </Button>
          <Button size="form" variant="primary" onClick={() => onClose(true)}>
            Done
          </Button>
        </>
      }
    >
      {/* This element takes the focus, because focusing the first field would open the phone's keyboard. */}
      <div tabIndex={-1} data-autofocus="" className="-mx-2.5 text-sm outline-none">
        <FilterOptions {...props} />
        {props.children && <div className="mt-1.5 border-t border-line pt-1.5 empty:hidden">{props.children}</div>}
      </div>
    </Dialog>
  )
}

/** Whether a filter is set. */
function hasFilters(filters: FilterProps['filters']): boolean {
  return Object.values(filters).some((chosen) => chosen.length > 0)
}

/** The facets of a list, with a search field if there are many options. */
function FilterOptions({ table, filters, onChange, listClass }: FilterProps & { listClass?: string }) {
  const facets = useFacets(table)
  const [typed, setTyped] = useState('')
  const count = facets.reduce((sum, { options, range }) => sum + (range ? 2 : options.length), 0)
  const shownFacets = facets
    .map((facet) => ({ ...facet, options: facet.options.filter(({ label }) => isPartOfLabel(label, typed)) }))
    .filter(({ label, options, range }) => options.length > 0 || (range && isPartOfLabel(label, typed)))
  const toggle = (key: string, value: string) =>
    onChange((old) => {
      const chosen = old[key] ?? []
      return { ...old, [key]: chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value] }
    })
  return (
    <>
      {count >= minSearchedOptions && (
        <div className="p-1 pb-2">
          <Input
            aria-label="Find a filter"
            placeholder="Find…"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
      )}
      <div className={listClass}>
        {shownFacets.map((facet) =>
          facet.range ? (
            <RangeFacet
              key={facet.key}
              field={facet.range}
              chosen={filters[facet.key] ?? []}
              onChange={(change) => onChange((old) => ({ ...old, [facet.key]: change(old[facet.key]) }))}
            />
          ) : (
            <Options key={facet.key} facet={facet} chosen={filters[facet.key] ?? []} onToggle={toggle} />
          ),
        )}
        {shownFacets.length === 0 && (
          <p className="px-2.5 py-1.5 text-pretty text-ink3">
            {count === 0 ? 'There are no tags yet to filter by.' : 'No matches'}
          </p>
        )}
      </div>
    </>
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

/** Whether the element is in the fields of a range. There the arrow keys change the value and do not move the focus. */
function isInRange(target: EventTarget): boolean {
  return target instanceof Element && target.closest('[data-range]') !== null
}

/** Moves the focus to the next input on arrow down, to the previous one on arrow up. Returns false for other keys. */
function moveFocusByKey(key: string, panel: HTMLElement | null): boolean {
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return false
  const inputs = [...(panel?.querySelectorAll<HTMLElement>('input') ?? [])]
  const at = inputs.findIndex((box) => box === document.activeElement)
  inputs.at((at + (key === 'ArrowDown' ? 1 : -1)) % inputs.length)?.focus()
  return true
}
