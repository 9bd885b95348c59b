import { type RefObject, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Virtualizer } from 'virtua'
import type { CompanyEntry } from '#web/data/companies.ts'
import type { RecordList } from '#web/data/record-list.ts'
import { cx } from '#web/lib/class-names.ts'
import { moveBetweenRows } from '#web/lib/row-keys.ts'
import { useTopOnChange } from '#web/lib/use-top-on-change.ts'
import type { ListSelection } from '#web/lib/use-list-selection.ts'
import { CompanyCard } from './company-card.tsx'

export interface CompanyGridProps {
  list: RecordList<CompanyEntry>
  selection: ListSelection
  /** Names what is listed: another order or search begins at the top. */
  listKey: string
  /** The company whose panel is open. */
  currentId: string | null
}

/** Companies as cards, as many beside each other as fit. Only the rows in sight are mounted. */
export function CompanyGrid({ list, listKey, selection, currentId }: CompanyGridProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const columns = useColumns(scroller)
  useTopOnChange(scroller, listKey)
  useSameView(scroller, columns, (index) => list.at(index)?.company.id === currentId)
  const rows = Math.ceil(list.total / columns)
  const data = useMemo(() => ({ length: rows }), [rows])
  return (
    <div
      ref={scroller}
      role="region"
      aria-label="Companies"
      // What scrolls must be reachable by keyboard
      tabIndex={0}
      onKeyDown={moveBetweenRows}
      className={cx(
        'relative min-h-0 flex-1 overflow-y-auto px-6 pt-1 outline-offset-[-2px] max-sm:px-4',
        selection.ids.size > 0 ? 'pb-20' : 'pb-3',
      )}
    >
      <Virtualizer key={listKey} data={data} itemSize={rowHeight}>
        {(_: undefined, row: number) => (
          <div
            key={row}
            className="grid gap-3 pb-3"
            style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
          >
            {Array.from({ length: Math.min(columns, list.total - row * columns) }, (_each, column) => {
              const index = row * columns + column
              const entry = list.at(index)
              return (
                <CompanyCard
                  key={column}
                  entry={entry}
                  index={index}
                  selected={entry !== undefined && selection.ids.has(entry.company.id)}
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

const narrowest = 300
const rowHeight = 164
const inSight = 60

/** When cards stand in more or fewer columns (a panel opens beside them), what was at the top stays, and the current one is in sight. */
function useSameView(
  scroller: RefObject<HTMLElement | null>,
  columns: number,
  isCurrent: (index: number) => boolean,
): void {
  const before = useRef(columns)
  const find = useEffectEvent((from: number) => {
    for (let index = from; index < from + inSight; index++) if (isCurrent(index)) return index
    return null
  })
  useLayoutEffect(() => {
    const element = scroller.current
    const first = element ? Math.floor(element.scrollTop / rowHeight) * before.current : 0
    if (!element || before.current === columns) return
    before.current = columns
    const top = Math.floor(first / columns) * rowHeight
    const current = find(first)
    const bottom = current === null ? 0 : (Math.floor(current / columns) + 1) * rowHeight - element.clientHeight
    element.scrollTo({ top: Math.max(top, bottom) })
  }, [scroller, columns])
}

function useColumns(element: RefObject<HTMLElement | null>): number {
  const [columns, setColumns] = useState(() => columnsFor(innerWidth - (innerWidth < 640 ? 0 : 208)))
  // At once, before anything is painted: cards that stand in other columns a moment later would jump.
  useLayoutEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(
      ([entry]) => entry && flushSync(() => setColumns(columnsFor(entry.contentRect.width))),
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return columns
}

function columnsFor(width: number): number {
  return Math.max(1, Math.min(5, Math.floor(width / narrowest)))
}
