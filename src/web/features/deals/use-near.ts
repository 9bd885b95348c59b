import { type RefObject, useEffect, useState } from 'react'

/** Width of a column with its gap, in pixels. */
const step = 332

/**
 * Whether a column is in the visible part of the board or up to a column's width beside it. Before the first answer of
 * the observer the column's place on the board decides, so that the first paint has the cards in sight and no others. A column that has the focus stays, else it would be lost.
 */
export function useNear(box: RefObject<HTMLElement | null>, place: number): boolean {
  const [near, setNear] = useState(() => place * step < window.innerWidth)
  useEffect(() => {
    const element = box.current
    const root = element?.closest('[data-board-scroller]')
    if (!element || !root) return
    const look = (entries: IntersectionObserverEntry[]) =>
      setNear(entries.some((entry) => entry.isIntersecting) || element.contains(document.activeElement))
    const observer = new IntersectionObserver(look, { root, rootMargin: '0px 240px' })
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return near
}
