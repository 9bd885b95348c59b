import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { Virtualizer } from 'virtua'
import type { CompanyEntry } from '#web/data/companies.ts'
import type { RecordList } from '#web/data/record-list.ts'
import { cx } from '#web/lib/class-names.ts'
import { moveBetweenRows } from '#web/lib/row-keys.ts'
import type { ListSelection } from '#web/lib/use-list-selection.ts'
import { CompanyCard } from './company-card.tsx'

export interface CompanyGridProps {
  list: RecordList<CompanyEntry>
  selection: ListSelection
  /** The company whose panel is open. */
  currentId: string | null
}

/** Companies as cards, as many beside each other as fit. Only the rows in sight are mounted. */
export function CompanyGrid({ list, selection, currentId }: CompanyGridProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const columns = useColumns(scroller)
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
      <Virtualizer data={data} itemSize={164}>
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
                  selecting={selection.ids.size > 0}
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

function useColumns(element: RefObject<HTMLElement | null>): number {
  const [columns, setColumns] = useState(() => columnsFor(innerWidth - (innerWidth < 640 ? 0 : 208)))
  useEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => entry && setColumns(columnsFor(entry.contentRect.width)))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return columns
}

function columnsFor(width: number): number {
  return Math.max(1, Math.min(5, Math.floor(width / narrowest)))
}
