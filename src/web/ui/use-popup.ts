import { type RefObject, useEffect, useLayoutEffect } from 'react'

export interface PopupPlace {
  side?: 'bottom' | 'top' | 'right'
  align?: 'start' | 'end' | 'center'
  /** True if the popup is at least as wide as its anchor. */
  matchWidth?: boolean
  /** The distance between the anchor and the popup (px). */
  gap?: number
}

const edgePx = 8

/**
 * Shows the element `popup`, which has `popover="manual"`, beside its anchor while `open` is true. It is in the top layer, so that no panel
 * clips it; it moves to the other side of the anchor if there is no room, and follows the anchor on scrolling.
 */
export function usePopup(
  open: boolean,
  anchor: RefObject<HTMLElement | null>,
  popup: RefObject<HTMLElement | null>,
  place: PopupPlace = {},
): void {
  const { side = 'bottom', align = 'start', matchWidth = false, gap = 4 } = place
  useLayoutEffect(() => {
    const element = popup.current
    if (!open || !element) return
    element.showPopover?.()
    const update = () => anchor.current && position(anchor.current, element, { side, align, matchWidth, gap })
    update()
    const resized = new ResizeObserver(update)
    resized.observe(element)
    window.addEventListener('resize', update)
    // If the popup itself is scrolled, its place stays the same.
    const scrolled = ({ target }: Event) => target !== element && update()
    window.addEventListener('scroll', scrolled, true)
    return () => {
      resized.disconnect()
      window.removeEventListener('resize', update)
      window.removeEventListener('scroll', scrolled, true)
    }
  }, [open, anchor, popup, side, align, matchWidth, gap])
}

/** Calls `close` when the person presses the pointer, or moves the focus, outside all of these elements. */
export function useCloseFromOutside(
  open: boolean,
  inside: readonly RefObject<HTMLElement | null>[],
  close: () => void,
): void {
  useEffect(() => {
    if (!open) return
    const leave = (event: Event) => {
      const target = event.target
      if (target instanceof Node && !inside.some(({ current }) => current?.contains(target))) close()
    }
    document.addEventListener('pointerdown', leave, true)
    document.addEventListener('focusin', leave)
    return () => {
      document.removeEventListener('pointerdown', leave, true)
      document.removeEventListener('focusin', leave)
    }
  })
}

function position(anchor: HTMLElement, popup: HTMLElement, place: Required<PopupPlace>): void {
  const from = anchor.getBoundingClientRect()
  const { clientWidth: width, clientHeight: height } = document.documentElement
  popup.style.minWidth = place.matchWidth ? `${from.width}px` : ''
  // The scroll position is stored, because measuring without a height limit resets it.
  const { scrollTop } = popup
  popup.style.setProperty('--room', '100vh')
  const size = { width: popup.offsetWidth, height: popup.offsetHeight }
  let top: number
  let left: number
  if (place.side === 'right') {
    left = from.right + place.gap
    if (left + size.width > width - edgePx) left = from.left - place.gap - size.width
    top = from.top - 4
  } else {
    const below = height - from.bottom - place.gap - edgePx
    const above = from.top - place.gap - edgePx
    const down = place.side === 'bottom' ? below >= size.height || below >= above : above < size.height && below > above
    const room = down ? below : above
    popup.style.setProperty('--room', `${room}px`)
    // A list that is too high scrolls inside, so that the field stays visible.
    size.height = Math.min(size.height, room)
    top = down ? from.bottom + place.gap : from.top - place.gap - size.height
    if (place.align === 'end') left = from.right - size.width
    else if (place.align === 'center') left = from.left + (from.width - size.width) / 2
    else left = from.left
  }
  popup.style.left = `${Math.max(edgePx, Math.min(left, width - size.width - edgePx))}px`
  popup.style.top = `${Math.max(edgePx, Math.min(top, height - Math.min(size.height, height) - edgePx))}px`
  popup.scrollTop = scrollTop
}
