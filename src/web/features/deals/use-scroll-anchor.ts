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
  const before = useRef(column)
  const endHold = useRef(() => {})
  useLayoutEffect(() => {
    const previous = before.current
    before.current = column
    const [list, scroller] = [handle.current, box.current]
    if (previous === column || !list || !scroller || list.scrollOffset <= margin) return
    const card = anchorCard(previous, column, list.findItemIndex(list.scrollOffset))
    if (!card || card.from === card.to) return
    endHold.current()
    // Uses the list's stored scroll offset and not the element's: at the lower end the browser has already scrolled.
    const top = margin + list.getItemOffset(card.from) - list.scrollOffset
    // Stops animations before the cards are measured, because cards that move with the list must not slide.
    scroller.dataset.still = ''
    scroller.scrollTop = margin + list.getItemOffset(card.to) - top
    endHold.current = hold(scroller, cardElementId(card.id), top)
  }, [box, handle, column, margin])
}

/** The first visible card that is still in the column, with its old and its new index. */
function anchorCard(
  before: BoardColumn,
  now: BoardColumn,
  first: number,
): { id: string; from: number; to: number } | null {
  for (let from = first; from < Math.min(first + 20, before.count); from++) {
    const id = before.at(from)?.deal.id
    const to = id === undefined ? -1 : now.indexOf(id)
    if (id !== undefined && to >= 0) return { id, from, to }
  }
  return null
}

/**
 * Keeps a card at this distance from the scroller's upper edge while other cards are measured, unless the person scrolls. Returns the
 * function that stops this.
 */
function hold(scroller: HTMLElement, elementId: string, top: number): () => void {
  let left = measureFrames
  const scrolls = ['wheel', 'touchmove', 'keydown'] as const
  const end = () => {
    left = 0
    delete scroller.dataset.still
    for (const scroll of scrolls) scroller.removeEventListener(scroll, end)
  }
  for (const scroll of scrolls) scroller.addEventListener(scroll, end, { passive: true })
  const step = () => {
    if (left === 0) return
    const card = document.getElementById(elementId)
    if (card) scroller.scrollTop += card.getBoundingClientRect().top - scroller.getBoundingClientRect().top - top
    left -= 1
    if (left === 0) end()
    else requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
  return end
}
