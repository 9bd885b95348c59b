import { type PointerEvent, useRef } from 'react'

/** If the pointer rests on its way to a submenu for this long (ms), the item under the pointer is selected. */
const restMs = 300
/** How far the pointer may leave the triangle of `usePointerPath` (px), because no hand moves exactly straight. */
const slackPx = 4

interface Point {
  x: number
  y: number
}

/**
 * Calls `select` with each menu item that the mouse moves over. While a submenu is open, the mouse may cross other items on its way to the submenu,
 * inside the triangle between the point where the mouse left the submenu's item and the near edge of the submenu. Returns `move`, which handles the
 * menu's pointermove events, and `stop`, which cancels the selection of the item on which the pointer rests.
 */
export function usePointerPath(select: (item: HTMLElement) => void) {
  const from = useRef<Point>(null)
  const timer = useRef(0)
  const stop = () => clearTimeout(timer.current)
  const move = ({ pointerType, target, currentTarget: menu, clientX, clientY }: PointerEvent) => {
    if (pointerType !== 'mouse' || !(target instanceof Element)) return
    stop()
    const item = target.closest<HTMLElement>('[role^=menuitem]')
    // Items of a submenu do not belong to this menu.
    if (item?.closest('[role=menu]') !== menu) return
    const point = { x: clientX, y: clientY }
    const open = menu.querySelector('[aria-expanded=true]')
    const submenu = open?.nextElementSibling?.getBoundingClientRect()
    if (item !== open && submenu && from.current && isOnTheWay(from.current, point, submenu)) {
      timer.current = window.setTimeout(select, restMs, item)
    } else {
      from.current = point
      select(item)
    }
  }
  return { move, stop }
}

function isOnTheWay(from: Point, point: Point, menu: DOMRect): boolean {
  const edge = from.x < menu.left ? menu.left : menu.right
  const share = (point.x - from.x) / (edge - from.x)
  const above = from.y + share * (menu.top - from.y)
  const below = from.y + share * (menu.bottom - from.y)
  return share >= 0 && point.y > above - slackPx && point.y < below + slackPx
}
