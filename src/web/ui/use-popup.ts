import { type RefObject, useEffect, useLayoutEffect } from 'react'

export interface PopupPlace {
  side?: 'bottom' | 'top' | 'right'
  align?: 'start' | 'end' | 'center'
  /** True if the popup is at least as wide as its anchor. */
  matchWidth?: boolean
  /** The distance between the anchor and the popup (px). */
  gap?: number
}

const windowMarginPx = 8

/**
 * Shows the element `popup`, which has `popover="manual"`, beside its anchor while `open` is true. The popup is in the top layer, so that no panel
 * clips it. If it does not fit, and the other side of the anchor has more room, it is shown there. It follows the anchor on scrolling.
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
    const update = () => anchor.current && placePopup(anchor.current, element, { side, align, matchWidth, gap })
    update()
    const resizeObserver = new ResizeObserver(update)
    resizeObserver.observe(element)
    window.addEventListener('resize', update)
    // If the popup itself is scrolled, its place stays the same.
    const onScroll = ({ target }: Event) => target !== element && update()
    window.addEventListener('scroll', onScroll, true)
    return () => {
      resizeObserver.disconnect()
      window.removeEventListener('resize', update)
      window.removeEventListener('scroll', onScroll, true)
    }
  }, [open, anchor, popup, side, align, matchWidth, gap])
}

/** Calls `close` when the person presses the pointer, or moves the focus, outside all of these elements. */
export function useCloseFromOutside(
  open: boolean,
  insideRefs: readonly RefObject<HTMLElement | null>[],
  close: () => void,
): void {
  useEffect(() => {
    if (!open) return
    const closeIfOutside = (event: Event) => {
      const target = event.target
      if (target instanceof Node && !insideRefs.some(({ current }) => current?.contains(target))) close()
    }
    document.addEventListener('pointerdown', closeIfOutside, true)
    document.addEventListener('focusin', closeIfOutside)
    return () => {
      document.removeEventListener('pointerdown', closeIfOutside, true)
      document.removeEventListener('focusin', closeIfOutside)
    }
  })
}

function placePopup(anchor: HTMLElement, popup: HTMLElement, place: Required<PopupPlace>): void {
  const anchorRect = anchor.getBoundingClientRect()
  const { clientWidth: width, clientHeight: height } = document.documentElement
  popup.style.minWidth = place.matchWidth ? `${anchorRect.width}px` : ''
  // The scroll position is stored, because measuring without a height limit resets it.
  const { scrollTop } = popup
  popup.style.setProperty('--room', '100vh')
  const size = { width: popup.offsetWidth, height: popup.offsetHeight }
  let top: number
  let left: number
  if (place.side === 'right') {
    left = anchorRect.right + place.gap
    if (left + size.width > width - windowMarginPx) left = anchorRect.left - place.gap - size.width
    top = anchorRect.top - 4
  } else {
    const below = height - anchorRect.bottom - place.gap - windowMarginPx
    const above = anchorRect.top - place.gap - windowMarginPx
    const isBelow =
      place.side === 'bottom' ? below >= size.height || below >= above : above < size.height && below > above
    const room = isBelow ? below : above
    popup.style.setProperty('--room', `${room}px`)
    // A list that is too high scrolls inside, so that the field stays visible.
    size.height = Math.min(size.height, room)
    top = isBelow ? anchorRect.bottom + place.gap : anchorRect.top - place.gap - size.height
    if (place.align === 'end') left = anchorRect.right - size.width
    else if (place.align === 'center') left = anchorRect.left + (anchorRect.width - size.width) / 2
    else left = anchorRect.left
  }
  popup.style.left = `${Math.max(windowMarginPx, Math.min(left, width - size.width - windowMarginPx))}px`
  popup.style.top = `${Math.max(windowMarginPx, Math.min(top, height - Math.min(size.height, height) - windowMarginPx))}px`
  popup.scrollTop = scrollTop
}
