import {
  DndContext,
  type DragEndEvent,
  DragOverlay,
  type DragStartEvent,
  type DropAnimation,
  defaultDropAnimationSideEffects,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { type Dispatch, type ReactNode, Suspense, useLayoutEffect, useMemo } from 'react'
import { isOpenStage } from '#web/data/deal-stages.ts'
import type { Board, DealCard } from '#web/data/deals.ts'
import { isPast } from '#web/lib/dates.ts'
import { useNarrow } from '#web/lib/use-narrow.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { dragAnnouncements, instructions } from './announcements.ts'
import { findCard } from './board-neighbours.ts'
import { CardKeys, CardMouse, CardTouch } from './board-sensors.ts'
import type { BoardEvent, BoardState, CarriedCard } from './board-state.ts'
import { columnCollision } from './column-collision.ts'
import { DealCardFace } from './deal-card-face.tsx'
import { useAutoScroll } from './use-auto-scroll.ts'

const EdgeScroll = lazyComponent(async () => (await import('./edge-scroll.tsx')).EdgeScroll)

/**
 * Adds drag and drop to the board (`children`). A mouse drag starts after 8 px; a touch drag after a long press of 250 ms, so that lists still
 * scroll. With the keyboard, Space lifts the card, arrow keys move it by 25 px, Space or Enter drops it, and Escape or Tab cancels (spec
 * sections 4 and 9). `board` is the board as it is shown. A drop in the same column has no effect.
 */
export function BoardDrag({
  board,
  state: { carried, pressed },
  dispatch,
  onDrop,
  children,
}: {
  board: Board
  state: BoardState
  dispatch: Dispatch<BoardEvent>
  onDrop: (card: DealCard, stageId: string, byKeyboard: boolean) => void
  children: ReactNode
}) {
  const sensors = useSensors(
    useSensor(CardMouse, sensorOptions.mouse),
    useSensor(CardTouch, sensorOptions.touch),
    useSensor(CardKeys, sensorOptions.keyboard),
  )
  const phone = useNarrow()
  useRelease(pressed !== null, dispatch)
  useEscapePutsBack(carried !== null)
  const autoScroll = useAutoScroll(carried !== null)
  const announcements = useMemo(() => dragAnnouncements(namesOf(board)), [board])

  function lift({ active, activatorEvent }: DragStartEvent) {
    const position = findCard(board.columns, String(active.id))
    const column = position && board.columns[position.column]
    const card = column?.at(position?.index ?? -1)
    if (!column || !card) return
    const byKeyboard = activatorEvent instanceof KeyboardEvent
    dispatch({ type: 'lifted', carried: { card, from: column.stage.id, board, byKeyboard } })
  }

  function drop({ over }: DragEndEvent) {
    dispatch({ type: 'dropped' })
    if (carried && over && over.id !== carried.from) onDrop(carried.card, String(over.id), carried.byKeyboard)
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={columnCollision}
      autoScroll={!phone && autoScroll}
      accessibility={{ announcements, screenReaderInstructions: instructions, restoreFocus: false }}
      onDragStart={lift}
      onDragEnd={drop}
      onDragCancel={() => dispatch({ type: 'dropped' })}
    >
      {children}
      {phone && carried && (
        <Suspense>
          <EdgeScroll />
        </Suspense>
      )}
      <DragOverlay dropAnimation={cardDropAnimation} zIndex={40}>
        {carried && (
          <div data-carried="" className="deal-lifted h-full cursor-grabbing">
            <DealCardFace card={carried.card} look="lifted" overdue={isOverdue(carried)} />
          </div>
        )}
      </DragOverlay>
    </DndContext>
  )
}

/** While a pointer is pressed on the board, listens for its release, for the start of scrolling, and for the window's loss of focus. */
function useRelease(isPressed: boolean, dispatch: Dispatch<BoardEvent>): void {
  useLayoutEffect(() => {
    if (!isPressed) return
    const release = () => dispatch({ type: 'released' })
    const endEvents = ['pointerup', 'pointercancel', 'blur'] as const
    for (const end of endEvents) addEventListener(end, release)
    return () => {
      for (const end of endEvents) removeEventListener(end, release)
    }
  }, [isPressed, dispatch])
}

/** While a card is being carried, Escape only puts it back: it does not close a panel or clear the selection. */
function useEscapePutsBack(isCarried: boolean): void {
  useLayoutEffect(() => {
    if (!isCarried) return
    const preventEscape = (event: KeyboardEvent) => event.key === 'Escape' && event.preventDefault()
    document.addEventListener('keydown', preventEscape, true)
    return () => document.removeEventListener('keydown', preventEscape, true)
  }, [isCarried])
}

/** Enter does not lift a card, because it opens the card. Tab cancels, so that it never drops a card by accident. */
const keyboardCodes = { start: ['Space'], cancel: ['Escape', 'Tab'], end: ['Space', 'Enter'] }

/** The same objects in every render. With new objects the library would render every card again. */
const sensorOptions = {
  mouse: { activationConstraint: { distance: 8 } },
  touch: { activationConstraint: { delay: 250, tolerance: 8 } },
  keyboard: { keyboardCodes: keyboardCodes, scrollBehavior: 'auto' },
} as const satisfies Record<string, object>

const cardDropAnimation: DropAnimation = {
  duration: 160,
  easing: 'cubic-bezier(.2,.8,.2,1)',
  sideEffects: defaultDropAnimationSideEffects({
    styles: { active: { opacity: '0.4' } },
    className: { dragOverlay: 'deal-settling' },
  }),
}

function isOverdue({ card, from, board }: CarriedCard): boolean {
  const stage = board.columns.find((column) => column.stage.id === from)?.stage
  return isOpenStage(stage) && isPast(card.deal.expected_close_date)
}

function namesOf(board: Board) {
  const cardOf = (id: string) => {
    const position = findCard(board.columns, id)
    return position ? (board.columns[position.column]?.at(position.index) ?? null) : null
  }
  return {
    deal: (id: string) => cardOf(id)?.deal.name ?? null,
    stage: (id: string) => board.columns.find(({ stage }) => stage.id === id)?.stage.name ?? null,
    stageOf: (id: string) => cardOf(id)?.deal.stage_id ?? null,
  }
}
