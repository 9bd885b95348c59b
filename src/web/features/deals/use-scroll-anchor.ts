import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { VirtualizerHandle } from 'virtua'
import type { BoardColumn } from '#web/data/deals.ts'
import { cardElementId } from './deal-card.tsx'

/** Number of frames until all cards at new places are measured. Cards have different heights. */
const measureFrames = 6

/**
 * If cards are added or removed above the visible ones, scrolls the list by the same amount, so that the visible cards do not move. At its
 * upper end the list does not scroll, so that new cards are visible. `margin`: the space above the first card (px).
 */
export function useScrollAnchor(
  box: RefObject<HTMLElement | null>,
  handle: RefObject<VirtualizerHandle | null>,
  column: BoardColumn,
  margin: number,
): void {
  const lastColumn = useRef(column)
  const endHold = useRef(() => {})
  useLayoutEffect(() => {
    const previousColumn = lastColumn.current
    lastColumn.current = column
    const [list, scroller] = [handle.current, box.current]
    if (previousColumn === column || !list || !scroller || list.scrollOffset <= margin) return
    const card = anchorCard(previousColumn, column, list.findItemIndex(list.scrollOffset))
    if (!card || card.from === card.to) return
    endHold.current()
    // Uses the list's stored scroll offset and not the element's: at the lower end the browser has already scrolled.
    const top = margin + list.getItemOffset(card.from) - list.scrollOffset
    // Stops animations before the cards are measured, because cards that move with the list must not slide.
    scroller.dataset.still = ''
    scroller.scrollTop = margin + list.getItemOffset(card.to) - top
    endHold.current = holdCard(scroller, cardElementId(card.id), top)
  }, [box, handle, column, margin])
}

/** The first visible card that is still in the column, with its old and its new index. */
function anchorCard(
  earlier: BoardColumn,
  current: BoardColumn,
  first: number,
): { id: string; from: number; to: number } | null {
  for (let from = first; from < Math.min(first + 20, earlier.count); from++) {
    const id = earlier.at(from)?.deal.id
    const to = id === undefined ? -1 : current.indexOf(id)
    if (id !== undefined && to >= 0) return { id, from, to }
  }
  return null
}

/**
 * Keeps a card at this distance from the scroller's upper edge while other cards are measured, unless the person scrolls. Returns the
 * function that stops this.
 */
function holdCard(scroller: HTMLElement, elementId: string, top: number): () => void {
  let framesLeft = measureFrames
  const scrollEvents = ['wheel', 'touchmove', 'keydown'] as const
  const stopHolding = () => {
    framesLeft = 0
    delete scroller.dataset.still
    for (const scroll of scrollEvents) scroller.removeEventListener(scroll, stopHolding)
  }
  for (const scroll of scrollEvents) scroller.addEventListener(scroll, stopHolding, { passive: true })
  const step = () => {
    if (framesLeft === 0) return
    const card = document.getElementById(elementId)
    if (card) scroller.scrollTop += card.getBoundingClientRect().top - scroller.getBoundingClientRect().top - top
    framesLeft -= 1
    if (framesLeft === 0) stopHolding()
    else requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
  return stopHolding
}
