import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import type { BoardColumn } from '#web/data/deals.ts'
import { watchFocus } from '#web/ui/keep-focus.ts'
import { findCard } from './board-neighbours.ts'
import { focusHead } from './stage-head.tsx'

interface FocusKeeperProps {
  board: RefObject<HTMLElement | null>
  columns: readonly BoardColumn[]
  focusPosition: (stageId: string, index: number) => Promise<void>
  /** Whether the focused card is moving to another column. */
  isMoving: () => boolean
}

/**
 * If the deal of the focused card is deleted (its creation was undone, or a colleague deleted it), the card that takes its place gets the
 * focus. If the column is empty then, the column's head gets the focus. A card that is moving gets the focus at its new place: until then the
 * board may not know that place. Renders nothing.
 */
export function FocusKeeper({ board, columns, focusPosition, isMoving }: FocusKeeperProps) {
  const lastFocus = useRef<{ dealId: string; stageId: string; index: number } | null>(null)
  const recordFocus = useEffectEvent((element: Element) => {
    const dealId = element.closest<HTMLElement>('[data-deal]')?.dataset.deal
    const position = dealId === undefined ? null : findCard(columns, dealId)
    const stage = position && columns[position.column]?.stage
    lastFocus.current = dealId && stage ? { dealId, stageId: stage.id, index: position.index } : null
  })
  const restoreFocus = useEffectEvent(() => {
    const position = lastFocus.current
    if (!position || isMoving() || findCard(columns, position.dealId)) return
    lastFocus.current = null
    const count = columns.find(({ stage }) => stage.id === position.stageId)?.count ?? 0
    if (count > 0) void focusPosition(position.stageId, Math.min(position.index, count - 1))
    else focusHead(position.stageId)
  })
  useEffect(() => {
    if (!board.current) return
    const leave = () => {
      lastFocus.current = null
    }
    return watchFocus(board.current, {
      focused: (element) => recordFocus(element),
      left: leave,
      lost: () => restoreFocus(),
    })
  }, [board])
  return null
}
