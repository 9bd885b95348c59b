import { type RefObject, useEffect } from 'react'

/**
 * Brings the card of the open deal into sight when its panel opens, and when the panel then takes room from the board. Afterwards the
 * person may scroll it away.
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
