import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Scrolls to the top when another list is shown (another order, another search): `list` names it. A virtual list in it takes the same name
 * as its `key`, else it goes back to where it was.
 */
export function useTopOnChange(scroller: RefObject<HTMLElement | null>, list: string): void {
  const before = useRef(list)
  useLayoutEffect(() => {
    if (before.current === list) return
    before.current = list
    scroller.current?.scrollTo({ top: 0 })
  }, [scroller, list])
}
