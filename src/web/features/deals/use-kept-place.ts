import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { VirtualizerHandle } from 'virtua'
import type { BoardColumn } from '#web/data/deals.ts'
import { cardElementId } from './deal-card.tsx'

/** Cards are of several heights, and those that came to another place are measured anew: so many frames until all are. */
const frames = 6

/**
 * What comes or goes above the cards in sight does not move them: the list scrolls along, at once. At its upper end it stays there,
 * and new cards are seen to come. `margin`: above the first card, in pixels.
 */
export function useKeptPlace(
  box: RefObject<HTMLElement | null>,
  handle: RefObject<VirtualizerHandle | null>,
  column: BoardColumn,
  margin: number,
): void {
  const before = useRef(column)
  const letGo = useRef(() => {})
  useLayoutEffect(() => {
    const previous = before.current
    before.current = column
    const [list, scroller] = [handle.current, box.current]
    if (previous === column || !list || !scroller || list.scrollOffset <= margin) return
    const card = keptCard(previous, column, list.findItemIndex(list.scrollOffset))
    if (!card || card.from === card.to) return
    letGo.current()
    // Of the list and not of the page: at its lower end the browser has scrolled already.
    const top = margin + list.getItemOffset(card.from) - list.scrollOffset
    // Before anything is measured: what moves with the list must not be seen to flow.
    scroller.dataset.still = ''
    scroller.scrollTop = margin + list.getItemOffset(card.to) - top
    letGo.current = hold(scroller, cardElementId(card.id), top)
  }, [box, handle, column, margin])
}

/** Of the cards from the first one in sight on, the first that is still there: its place before and now. */
function keptCard(
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

/** Keeps a card so far below the scroller's upper edge while the others are measured, unless somebody scrolls. Returns what ends it. */
function hold(scroller: HTMLElement, elementId: string, top: number): () => void {
  let left = frames
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
