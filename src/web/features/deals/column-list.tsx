import {
  type CSSProperties,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type CacheSnapshot, Virtualizer, type VirtualizerHandle } from 'virtua'
import type { BoardColumn, DealCard } from '#web/data/deals.ts'
import { useDealsWithTasks } from '#web/data/deals-with-tasks.ts'
import { isOpenStage } from '#web/data/deal-stages.ts'
import { isPast } from '#web/lib/dates.ts'
import { useNow } from '#web/lib/use-now.ts'
import type { Mover } from '#web/data/remote-moves.ts'
import { type Arrivals, hasSlidingCards } from './arrivals.ts'
import type { BoardActions } from './board-actions.ts'
import { FetchWhenVisible } from '#web/ui/fetch-when-visible.tsx'
import { CardSkeleton } from './board-skeleton.tsx'
import { dealSign } from './deal-sign.ts'
import { DraggableDealCard } from './deal-card.tsx'
import { useScrollAnchor } from './use-scroll-anchor.ts'

/** The measured sizes and the scroll position of a column's list when it was unmounted. */
export interface ListMemory {
  cache: CacheSnapshot
  count: number
  offset: number
}

/** The space above the first card for the chip with the name of the person who moved it: `pt-2` (px). */
const chipRoomPx = 8

/** The space above and below the visible cards in which cards are mounted too, for scrolling. Zero at first, for an early first paint (px). */
const scrollBufferPx = 200

/** The estimated height of a card with the space below it (px). */
const cardHeightPx = 96

/**
 * The cards of one column. Only the visible cards and the first screenful are mounted, so a column can have any number of cards. The
 * carried card, the focused card and the card whose name is edited stay mounted, otherwise the drag, the focus or the text would be lost.
 */
export function ColumnList({
  column,
  liftedId,
  phone,
  selected,
  arrivals,
  currentId,
  namingId,
  actions,
  memory,
}: {
  column: BoardColumn
  liftedId: string | null
  phone: boolean
  selected: ReadonlySet<string>
  arrivals: Arrivals
  currentId: string | null
  /** The deal whose name is edited on its card. */
  namingId: string | null
  actions: BoardActions
  memory: RefObject<ListMemory | null>
}) {
  const handle = useRef<VirtualizerHandle>(null)
  const box = useRef<HTMLDivElement>(null)
  const [tabStopId, setTabStopId] = useState<string | null>(null)
  const [buffer, setBuffer] = useState(0)
  const tabStopIndex = Math.max(0, tabStopId === null ? 0 : column.indexOf(tabStopId))
  const liftedIndex = liftedId === null ? -1 : column.indexOf(liftedId)
  const namedIndex = namingId === null ? -1 : column.indexOf(namingId)
  const mountedIndexes = useMemo(
    // Without the first screenful, the first render would mount nothing, measure the list's height, and then render again.
    () =>
      [...Array(Math.ceil(innerHeight / cardHeightPx)).keys(), tabStopIndex, liftedIndex, namedIndex].filter(
        (index) => index >= 0,
      ),
    [tabStopIndex, liftedIndex, namedIndex],
  )
  const now = useNow()
  const isOpen = isOpenStage(column.stage)
  const dealsWithTask = useDealsWithTasks()
  const data = useMemo(() => ({ length: column.count }), [column.count])

  useEffect(() => void requestAnimationFrame(() => setBuffer(scrollBufferPx)), [])
  useRememberedScroll(handle, memory, column.count)
  useRegisteredList(handle, column.stage.id, actions)
  useScrollAnchor(box, handle, column, chipRoomPx)

  return (
    <div
      ref={box}
      onFocus={(event) => setTabStopId(dealOf(event.target) ?? tabStopId)}
      data-flowing={hasSlidingCards(arrivals, column.stage.id) || undefined}
      className="-mt-2 min-h-0 flex-1 overflow-y-auto overscroll-y-contain pt-2"
    >
      <Virtualizer
        ref={handle}
        data={data}
        as={ListBox}
        itemSize={cardHeightPx}
        startMargin={chipRoomPx}
        bufferSize={buffer}
        keepMounted={mountedIndexes}
        {...(memory.current?.count === column.count ? { cache: memory.current.cache } : {})}
      >
        {(_: undefined, index: number) => {
          const card = column.at(index)
          return (
            // The list hides an item until it is measured at its new index, and a hidden card loses the focus. The class `visible` prevents that.
            <div key={card?.deal.id ?? `place-${index}`} className="visible px-2 pb-2">
              <FetchWhenVisible list={column} index={index} />
              {card ? (
                <DraggableDealCard
                  card={card}
                  index={index}
                  count={column.count}
                  tabStop={index === tabStopIndex}
                  phone={phone}
                  sign={dealSign(card.deal, column.stage, now, dealsWithTask)}
                  overdue={isOpen && isPast(card.deal.expected_close_date, now)}
                  selected={selected.has(card.deal.id)}
                  current={card.deal.id === currentId}
                  naming={card.deal.id === namingId}
                  mover={moverOf(arrivals, card)}
                  actions={actions}
                />
              ) : (
                <CardSkeleton />
              )}
            </div>
          )
        }}
      </Virtualizer>
    </div>
  )
}

function ListBox({ style, children, ref }: { style: CSSProperties; children: ReactNode; ref?: Ref<HTMLDivElement> }) {
  return (
    <div ref={ref} role="list" style={style}>
      {children}
    </div>
  )
}

/** Returns the colleague who has just moved the card here: null if unknown, undefined if nobody has. */
function moverOf(arrivals: Arrivals, { deal }: DealCard): Mover | null | undefined {
  const move = arrivals.get(deal.id)
  return move?.stageId === deal.stage_id ? move.mover : undefined
}

function dealOf(element: Element): string | undefined {
  return element.closest<HTMLElement>('[data-deal]')?.dataset.deal
}

function useRememberedScroll(
  handle: RefObject<VirtualizerHandle | null>,
  memory: RefObject<ListMemory | null>,
  count: number,
) {
  const latestCount = useRef(count)
  useEffect(() => {
    latestCount.current = count
  }, [count])
  useEffect(() => {
    const list = handle.current
    if (memory.current && list) list.scrollTo(memory.current.offset)
    return () => {
      if (list) memory.current = { cache: list.cache, offset: list.scrollOffset, count: latestCount.current }
    }
  }, [handle, memory])
}

function useRegisteredList(handle: RefObject<VirtualizerHandle | null>, stageId: string, actions: BoardActions) {
  useEffect(() => {
    actions.registerList(stageId, handle.current)
    return () => actions.registerList(stageId, null)
  }, [handle, stageId, actions])
}
