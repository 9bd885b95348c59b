import { type RefObject, useEffect, useState } from 'react'

/** The width of a column with its gap (px). */
const columnStepPx = 332

/**
 * Whether a column is in the visible part of the board, or at most 240 px outside. Before the observer's first callback, the column's index
 * decides, so that the first paint renders only visible cards. A column that contains the focus counts as near, otherwise the focus would
 * be lost.
 */
export function useIsNearView(box: RefObject<HTMLElement | null>, index: number): boolean {
  const [near, setNear] = useState(() => index * columnStepPx < window.innerWidth)
  useEffect(() => {
    const element = box.current
    const root = element?.closest('[data-board-scroller]')
    if (!element || !root) return
    const update = (entries: IntersectionObserverEntry[]) =>
      setNear(entries.some((entry) => entry.isIntersecting) || element.contains(document.activeElement))
    const observer = new IntersectionObserver(update, { root, rootMargin: '0px 240px' })
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return near
}
