import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { useSortedField } from '#web/crm/sorted-value.tsx'
import type { CompanyEntry, CompanySort } from '#web/data/companies.ts'
import type { RecordList } from '#web/data/query/record-list.ts'
import { cx } from '#web/lib/class-names.ts'
import { moveBetweenRows } from '#web/lib/row-keys.ts'
import { useTopOnChange } from '#web/lib/use-top-on-change.ts'
import type { ListSelection } from '#web/lib/use-list-selection.ts'
import { FetchWhenVisible } from '#web/ui/fetch-when-visible.tsx'
import { keepFocusOnRow } from '#web/ui/keep-focus-on-row.ts'
import { CompanyCard } from './company-card.tsx'

export interface CompanyGridProps {
  list: RecordList<CompanyEntry>
  sort: CompanySort
  selection: ListSelection
  /** Identifies the query. With another order or search the list starts at the top. */
  listKey: string
  /** The company whose panel is open. */
  currentId: string | null
}

/** Companies as cards in as many columns as fit, at most five. Only visible rows are mounted. */
export function CompanyGrid({ list, listKey, sort, selection, currentId }: CompanyGridProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const { columns, narrow } = useColumns(scroller)
  useTopOnChange(scroller, listKey)
  // When a card moves to another row of the grid, its element is replaced.
  useEffect(() => keepFocusOnRow(scroller.current), [])
  const sorted = useSortedField('companies', sort)
  const virtualizer = useRef<VirtualizerHandle>(null)
  useSameView(virtualizer, columns, (index) => list.at(index)?.company.id === currentId)
  const rowCount = Math.ceil(list.total / columns)
  const data = useMemo(() => ({ length: rowCount }), [rowCount])
  return (
    <div
      ref={scroller}
      role="region"
      aria-label="Companies"
      // A scrolling area must be reachable by keyboard
      tabIndex={0}
      onKeyDown={moveBetweenRows}
      className={cx(
        'relative min-h-50 flex-1 overflow-y-auto px-6 pt-1 outline-offset-[-2px] max-sm:px-4',
        selection.count > 0 ? 'pb-[calc(12px+var(--selection-bar,68px))] max-sm:pb-3' : 'pb-3',
      )}
    >
      <Virtualizer ref={virtualizer} key={listKey} data={data} itemSize={rowHeightPx}>
        {(_: undefined, row: number) => (
          <div
            key={row}
            // The list hides a row until it is measured, and a hidden card cannot get the focus. The class `visible` prevents that.
            className="visible grid gap-3 pb-3"
            style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
          >
            <FetchWhenVisible list={list} index={row * columns} />
            <FetchWhenVisible list={list} index={Math.min((row + 1) * columns, list.total) - 1} />
            {Array.from({ length: Math.min(columns, list.total - row * columns) }, (_each, column) => {
              const index = row * columns + column
              const entry = list.at(index)
              return (
                <CompanyCard
                  key={entry?.company.id ?? `place-${column}`}
                  entry={entry}
                  index={index}
                  narrow={narrow}
                  sorted={sorted}
                  selected={entry !== undefined && selection.has(entry.company.id)}
                  picking={selection.picking}
                  current={entry !== undefined && entry.company.id === currentId}
                  onToggle={selection.toggle}
                />
              )
            })}
          </div>
        )}
      </Virtualizer>
    </div>
  )
}

/** A card of at least this width (rem) has website and phone on one line. */
const wideCardRem = 18.75
/**
 * From this width (rem) on there are two columns, because one would be too wide to read. While the columns are narrower than `wideCardRem`, website
 * and phone are on two lines.
 */
const twoColumnsRem = 30
/** Height of a row until it is rendered (px). */
const rowHeightPx = 164
/** Maximum number of cards that can be visible at the same time. */
const maxVisibleCards = 60

/**
 * When the number of columns changes (a panel opens beside the cards), keeps the first visible card in place and the current card visible.
 */
function useSameView(
  virtualizer: RefObject<VirtualizerHandle | null>,
  columns: number,
  isCurrent: (index: number) => boolean,
): void {
  const columnsBefore = useRef(columns)
  const findCurrent = useEffectEvent((from: number) => {
    for (let index = from; index < from + maxVisibleCards; index++) if (isCurrent(index)) return index
    return null
  })
  useLayoutEffect(() => {
    const list = virtualizer.current
    const oldColumns = columnsBefore.current
    columnsBefore.current = columns
    if (!list || oldColumns === columns) return
    const firstVisible = list.findItemIndex(list.scrollOffset) * oldColumns
    const current = findCurrent(firstVisible)
    list.scrollToIndex(Math.floor(firstVisible / columns), { align: 'start' })
    if (current !== null) list.scrollToIndex(Math.floor(current / columns), { align: 'nearest' })
  }, [virtualizer, columns])
}

interface GridColumns {
  columns: number
  /** Whether there are two columns of cards that are narrower than `wideCardRem`. */
  narrow: boolean
}

function useColumns(element: RefObject<HTMLElement | null>): GridColumns {
  const [width, setWidth] = useState(() => {
    // Until the element is measured: the width of the window without the paddings and, unless on the phone, without the sidebar.
    const windowWidth = inRem(innerWidth)
    return windowWidth - (windowWidth < 40 ? 2 : 16)
  })
  // Measures before the browser paints. Otherwise cards would visibly jump to other columns.
  useLayoutEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => entry && flushSync(() => setWidth(inRem(entry.contentRect.width))))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  const columns = Math.max(width < twoColumnsRem ? 1 : 2, Math.min(5, Math.floor(width / wideCardRem)))
  return { columns, narrow: columns > 1 && width / columns < wideCardRem }
}

function inRem(px: number): number {
  return px / Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}
