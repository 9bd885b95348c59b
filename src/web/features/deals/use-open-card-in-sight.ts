import { type RefObject, useEffect } from 'react'

/**
 * Scrolls to the card of the open deal when its panel opens, and again when the panel takes space from the board. Afterwards the person
 * can scroll the card out of view.
 */
export function useOpenCardInSight(
  board: RefObject<HTMLElement | null>,
  dealId: string | null,
  uncover: (dealId: string) => void,
): void {
  useEffect(() => {
    const element = board.current
    if (!element || dealId === null) return
    let width = Infinity
    const observer = new ResizeObserver(() => {
      if (element.clientWidth < width) uncover(dealId)
      width = element.clientWidth
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [board, dealId, uncover])
}
