import type { AutoScrollOptions } from '@dnd-kit/core'
import { useLayoutEffect, useMemo, useRef } from 'react'

/** Distance from the board's left or right edge in which the board scrolls, as a share of the board's width. */
const edgeShare = 0.12

/**
 * Returns the drag library's options for scrolling the board while a card is carried. Only the board scrolls, horizontally, because the
 * position within a column has no meaning.
 *
 * For a moment after the lift, and whenever the card comes back over a column, the library mistakes the size of the column's list for the board's
 * size. The pointer's distance from the edges is therefore measured here too, and the library may scroll only if this distance is small.
 */
export function useAutoScroll(isCarried: boolean): AutoScrollOptions {
  const pointerX = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (!isCarried) return
    const recordPointer = (event: PointerEvent) => {
      pointerX.current = event.clientX
    }
    addEventListener('pointermove', recordPointer, true)
    return () => {
      removeEventListener('pointermove', recordPointer, true)
      pointerX.current = null
    }
  }, [isCarried])
  return useMemo(() => {
    const canScroll = (element: Element) =>
      element instanceof HTMLElement &&
      element.dataset.boardScroller !== undefined &&
      isNearEdge(element, pointerX.current)
    return { threshold: { x: edgeShare, y: 0 }, acceleration: 14, canScroll }
  }, [])
}

/**
 * Whether the horizontal position `x` in the window (px) is near or beyond an edge of `board` towards which it can be scrolled. `null`,
 * an unknown position, is near no edge.
 */
export function isNearEdge(board: Element, x: number | null): boolean {
  if (x === null) return false
  const { left, right, width } = board.getBoundingClientRect()
  const hiddenRight = board.scrollWidth - board.clientWidth - board.scrollLeft
  return (board.scrollLeft > 0 && x <= left + width * edgeShare) || (hiddenRight > 0 && x >= right - width * edgeShare)
}
