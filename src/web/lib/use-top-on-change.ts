import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Scrolls `scroller` to its top when `list` changes: a text that identifies the order and the search. A virtual list inside needs the same value as
 * its `key`, or it restores its old position.
 */
export function useTopOnChange(scroller: RefObject<HTMLElement | null>, list: string): void {
  const previousList = useRef(list)
  useLayoutEffect(() => {
    if (previousList.current === list) return
    previousList.current = list
    scroller.current?.scrollTo({ top: 0 })
  }, [scroller, list])
}
