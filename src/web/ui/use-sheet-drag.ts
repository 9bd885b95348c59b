import { type PointerEvent, type RefObject, useRef } from 'react'

const closeDistancePx = 96

/**
 * Returns the event handlers for the header of a sheet. If the person drags the header down by more than 96 px, the sheet closes. Otherwise the sheet
 * springs back. A mouse does not drag, and windows wider than a phone have no sheet.
 */
export function useSheetDrag(panel: RefObject<HTMLElement | null>, close: () => void) {
  const start = useRef<number | null>(null)
  const move = (to: number) => {
    panel.current?.style.setProperty('transform', to > 0 ? `translateY(${to}px)` : 'none')
  }
  const end = (event: PointerEvent) => {
    if (start.current === null) return
    const distance = event.clientY - start.current
    start.current = null
    move(0)
    if (distance > closeDistancePx) close()
  }
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const isOnButton = event.target instanceof Element && event.target.closest('button')
      if (event.pointerType === 'mouse' || isOnButton || !matchMedia('(width < 40rem)').matches) return
      start.current = event.clientY
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (start.current !== null) move(event.clientY - start.current)
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
}
