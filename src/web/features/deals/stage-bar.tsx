import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { stageToneClass } from '#web/crm/stage-tone.ts'
import type { BoardColumn } from '#web/data/deals.ts'
import { cx } from '#web/lib/class-names.ts'
import { stageCount } from './stage-count.ts'

const rowClasses = 'relative flex gap-2 overflow-x-auto px-4 py-px [scrollbar-width:none]'

/**
 * On the phone, the bar of stages with their counts above the board, which shows one stage at a time. The bar marks the visible stage. A
 * press on another stage scrolls the board to that stage. `filter` comes first; its active part stays visible. If `filter` is long, the stages
 * have their own row. If a search or filter finds nothing in the visible stage, the board scrolls to the first stage with a deal.
 */
export function StageBar({
  columns,
  scroller,
  filter,
  ownRow,
  narrowedBy,
  isBusy,
}: {
  columns: readonly BoardColumn[]
  scroller: RefObject<HTMLElement | null>
  /** The owner filter's control. */
  filter: ReactNode
  /** Whether the stages have their own row below the filter. */
  ownRow: boolean
  /** The search and filter of the board; '' for none. */
  narrowedBy: string
  /** Whether the person is using a card, a selection or a sheet. Then the board must not scroll by itself. */
  isBusy: boolean
}) {
  const bar = useRef<HTMLDivElement>(null)
  const stages = useRef<HTMLElement>(null)
  const current = useStageInSight(scroller, columns.length)
  useStageWithDeals(scroller, columns, narrowedBy, isBusy)
  const foundColumns = columns.filter(({ count }) => narrowedBy && count > 0)

  useEffect(() => {
    const chip = stages.current?.children[current]
    if (!(chip instanceof HTMLElement) || !bar.current) return
    bar.current.scrollTo({
      // At the first stage the bar scrolls to its start, where the filter may be.
      left: current === 0 ? 0 : chip.offsetLeft - (bar.current.clientWidth - chip.offsetWidth) / 2,
      behavior: 'smooth',
    })
  }, [current])

  return (
    <>
      {ownRow && <div className={rowClasses}>{filter}</div>}
      <div ref={bar} className={rowClasses}>
        {!ownRow && filter}
        <nav ref={stages} aria-label="Stages" className="flex shrink-0 gap-2">
          {columns.map(({ stage, count, isCounting }, index) => (
            <button
              key={stage.id}
              type="button"
              aria-current={index === current ? 'true' : undefined}
              onClick={() =>
                scroller.current?.children[index]?.scrollIntoView({
                  inline: 'start',
                  block: 'nearest',
                  behavior: 'smooth',
                })
              }
              className={cx(
                stageToneClass(stage),
                'flex h-11 shrink-0 items-center gap-2.5 rounded-card px-3.5 text-sm',
                index === current ? 'bg-tone-soft font-medium text-tone' : 'text-ink2 ring-1 ring-line ring-inset',
              )}
            >
              <span className="size-2 rounded-full bg-tone-dot" aria-hidden="true" />
              {stage.name}
              <span className={cx('num', index !== current && 'text-ink3')}>{stageCount({ count, isCounting })}</span>
            </button>
          ))}
        </nav>
      </div>
      {foundColumns.length > 0 && (
        <p role="status" className="num -mt-0.5 px-4 text-xs text-ink2">
          {foundColumns.map((column) => `${stageCount(column)} in ${column.stage.name}`).join(' · ')}
        </p>
      )}
    </>
  )
}

function useStageInSight(scroller: RefObject<HTMLElement | null>, count: number): number {
  const [current, setCurrent] = useState(0)
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const update = () => setCurrent(Math.min(count - 1, stageInSight(element)))
    // The board may have been scrolled before the bar was mounted: a reload restores its scroll position.
    update()
    element.addEventListener('scroll', update, { passive: true })
    return () => element.removeEventListener('scroll', update)
  }, [scroller, count])
  return current
}

/** Once for each search or filter: scrolls from a stage without deals to the first stage with deals. */
function useStageWithDeals(
  scroller: RefObject<HTMLElement | null>,
  columns: readonly BoardColumn[],
  narrowedBy: string,
  isBusy: boolean,
) {
  const lastNarrowedBy = useRef('')
  useEffect(() => {
    const element = scroller.current
    const firstWithDeals = columns.findIndex(({ count }) => count > 0)
    // If no stage has a deal, the deals may not have arrived from the server yet.
    if (!element || narrowedBy === lastNarrowedBy.current || (narrowedBy && firstWithDeals < 0)) return
    lastNarrowedBy.current = narrowedBy
    if (narrowedBy && !isBusy && columns[stageInSight(element)]?.count === 0)
      element.children[firstWithDeals]?.scrollIntoView({ inline: 'start', block: 'nearest' })
  }, [scroller, columns, narrowedBy, isBusy])
}

/** Returns the index of the stage at the left edge of the board. */
function stageInSight({ children: [first, second], scrollLeft }: HTMLElement): number {
  if (!(first instanceof HTMLElement) || !(second instanceof HTMLElement)) return 0
  return Math.max(0, Math.round(scrollLeft / (second.offsetLeft - first.offsetLeft)))
}
