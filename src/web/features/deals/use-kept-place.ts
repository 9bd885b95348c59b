import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { VirtualizerHandle } from 'virtua'
import type { BoardColumn } from '#web/data/deals.ts'

/** How far from the upper end a list still counts as not scrolled, in pixels. */
const atTop = 8

/**
 * What comes or goes above the cards in sight does not move them: the list scrolls along, at once. At its upper end it stays there,
 * and new cards are seen to come.
 */
export function useKeptPlace(
  box: RefObject<HTMLElement | null>,
  handle: RefObject<VirtualizerHandle | null>,
  column: BoardColumn,
): void {
  const before = useRef(column)
  useLayoutEffect(() => {
    const previous = before.current
    before.current = column
    const [list, scroller] = [handle.current, box.current]
    if (previous === column || !list || !scroller || list.scrollOffset <= atTop) return
    const place = keptPlace(previous, column, list.findItemIndex(list.scrollOffset))
    if (!place || place.from === place.to) return
    // Before anything is measured: what moves with the list must not be seen to flow.
    scroller.dataset.still = ''
    // (From where the list was: at its lower end the browser has scrolled already.)
    scroller.scrollTop = list.scrollOffset + list.getItemOffset(place.to) - list.getItemOffset(place.from)
    requestAnimationFrame(() => delete scroller.dataset.still)
  }, [box, handle, column])
}

/** Of the cards from the first one in sight on, the first that is still there: its place before and now. */
function keptPlace(before: BoardColumn, now: BoardColumn, first: number): { from: number; to: number } | null {
  for (let from = first; from < Math.min(first + 20, before.count); from++) {
    const id = before.at(from)?.deal.id
    const to = id === undefined ? -1 : now.indexOf(id)
    if (to >= 0) return { from, to }
  }
  return null
}
