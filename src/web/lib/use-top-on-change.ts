import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Scrolls to the top when `list`, a text for the order and the search, changes. A virtual list inside needs the same value as its `key`, or it
 * restores its old position.
 */
export function useTopOnChange(scroller: RefObject<HTMLElement | null>, list: string): void {
  const before = useRef(list)
  useLayoutEffect(() => {
    if (before.current === list) return
    before.current = list
    scroller.current?.scrollTo({ top: 0 })
  }, [scroller, list])
}
