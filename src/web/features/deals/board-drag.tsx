import {
  DndContext,
  type DragEndEvent,
  DragOverlay,
  type DragStartEvent,
  type DropAnimation,
  defaultDropAnimationSideEffects,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { Board, DealCard } from '#web/data/deals.ts'
import { instructions, spokenMoves } from './announcements.ts'
import { findCard } from './board-neighbours.ts'
import { columnCollision } from './column-collision.ts'
import { DealCardFace } from './deal-card-face.tsx'

interface Held {
  card: DealCard
  from: string
  board: Board
  byKeyboard: boolean
}

/** What the hand does on the board now. */
interface Hand {
  /** The lifted card. */
  card: { dealId: string; from: string } | null
  /** Nothing may move. */
  still: boolean
  /** For the board's `onPointerDownCapture`. */
  press: () => void
}

/**
 * The drag of the board, and the only place that knows the drag library. Mouse: after 8 px; touch: after a long press
 * of 250 ms, so that lists still scroll; keyboard: Space lifts and drops, arrows carry by 25 px, Escape cancels (spec
 * sections 4 and 9). From the press on a card until it is let go the board stands still: `children` gets the board as it was then,
 * so that a colleague's change never moves what is under the hand. A drop in the same column calls nothing.
 */
export function BoardDrag({
  board,
  onDrop,
  children,
}: {
  board: Board
  onDrop: (card: DealCard, stageId: string, byKeyboard: boolean) => void
  children: (board: Board, hand: Hand) => ReactNode
}) {
  const [held, setHeld] = useState<Held | null>(null)
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 8 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 250, tolerance: 8 } }),
    useSensor(KeyboardSensor, { keyboardCodes: keys, scrollBehavior: 'auto' }),
  )
  const [pressed, press] = usePressed(board)
  const shown = held?.board ?? pressed ?? board
  const announcements = useMemo(() => spokenMoves(namesOf(shown)), [shown])

  function lift({ active, activatorEvent }: DragStartEvent) {
    const place = findCard(shown.columns, String(active.id))
    const column = place && shown.columns[place.column]
    const card = column?.at(place?.index ?? -1)
    if (column && card) {
      setHeld({ card, from: column.stage.id, board: shown, byKeyboard: activatorEvent instanceof KeyboardEvent })
    }
  }

  function drop({ over }: DragEndEvent) {
    setHeld(null)
    if (held && over && over.id !== held.from) onDrop(held.card, String(over.id), held.byKeyboard)
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={columnCollision}
      autoScroll={autoScroll}
      accessibility={{ announcements, screenReaderInstructions: instructions, restoreFocus: false }}
      onDragStart={lift}
      onDragEnd={drop}
      onDragCancel={() => setHeld(null)}
    >
      {children(shown, {
        card: held && { dealId: held.card.deal.id, from: held.from },
        still: (held ?? pressed) !== null,
        press,
      })}
      <DragOverlay dropAnimation={settle} zIndex={40}>
        {held && (
          <div className="deal-lifted h-full cursor-grabbing">
            <DealCardFace card={held.card} look="lifted" />
          </div>
        )}
      </DragOverlay>
    </DndContext>
  )
}

/** The board as it was when a pointer went down on it; null again when that one is let go, or scrolls. */
function usePressed(board: Board): [Board | null, () => void] {
  const [pressed, setPressed] = useState<Board | null>(null)
  const isPressed = pressed !== null
  useEffect(() => {
    if (!isPressed) return
    const release = () => setPressed(null)
    const ends = ['pointerup', 'pointercancel', 'blur'] as const
    for (const end of ends) window.addEventListener(end, release)
    return () => {
      for (const end of ends) window.removeEventListener(end, release)
    }
  }, [isPressed])
  return [pressed, () => setPressed(board)]
}

/** Enter is left to opening a card; Tab gives the card back rather than dropping it somewhere by accident. */
const keys = { start: ['Space'], cancel: ['Escape', 'Tab'], end: ['Space', 'Enter'] }

/** Only the board itself scrolls while a card is carried, and only sideways: a place within a column means nothing. */
const autoScroll = {
  threshold: { x: 0.12, y: 0 },
  acceleration: 14,
  canScroll: (element: Element) => element instanceof HTMLElement && element.dataset.boardScroller !== undefined,
}

const settle: DropAnimation = {
  duration: 160,
  easing: 'cubic-bezier(.2,.8,.2,1)',
  sideEffects: defaultDropAnimationSideEffects({
    styles: { active: { opacity: '0.4' } },
    className: { dragOverlay: 'deal-settling' },
  }),
}

function namesOf(board: Board) {
  const cardOf = (id: string) => {
    const place = findCard(board.columns, id)
    return place ? (board.columns[place.column]?.at(place.index) ?? null) : null
  }
  return {
    deal: (id: string) => cardOf(id)?.deal.name ?? null,
    stage: (id: string) => board.columns.find(({ stage }) => stage.id === id)?.stage.name ?? null,
    stageOf: (id: string) => cardOf(id)?.deal.stage_id ?? null,
  }
}
