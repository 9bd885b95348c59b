import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'
import type { ListSelection } from '#web/lib/use-list-selection.ts'
import { useBackCloses } from '#web/ui/use-back-closes.ts'

const pressMs = 500
/** If a finger moves further than this (px), it scrolls and does not press. */
const maxMovePx = 10

/** The attributes of a row, or a card, that can be picked. */
export interface PickableProps {
  'data-pick': string
  'data-pick-index': number
}

/**
 * Selects rows on the phone. A long press starts the selection with that row; then a tap or another long press selects or deselects a row.
 * Back ends the selection; while a record's panel covers the list (`isCovered`), Back first closes the panel. Returns the event handlers for
 * the element that contains the rows.
 */
export function usePicking({ picking, pick, toggle, clear }: ListSelection, isCovered: boolean) {
  const press = useRef<{ timer: number; x: number; y: number } | null>(null)
  /** True after a long press. The click that follows must not open the row. */
  const isAfterLongPress = useRef(false)
  useBackCloses(picking && !isCovered, clear)
  const cancelPress = () => {
    clearTimeout(press.current?.timer)
    press.current = null
  }
  useEffect(() => () => clearTimeout(press.current?.timer), [])
  const toggleRow = (row: HTMLElement) => toggle(row.dataset.pick ?? '', Number(row.dataset.pickIndex), false)
  const pickByPress = (row: HTMLElement) => {
    cancelPress()
    isAfterLongPress.current = true
    if (picking) toggleRow(row)
    else pick(row.dataset.pick, Number(row.dataset.pickIndex))
  }
  return {
    onPointerDown: ({ target, pointerType, clientX: x, clientY: y }: PointerEvent) => {
      cancelPress()
      isAfterLongPress.current = false
      const row = rowOf(target)
      if (row && pointerType === 'touch' && !(picking && target instanceof HTMLInputElement))
        press.current = { timer: window.setTimeout(() => pickByPress(row), pressMs), x, y }
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      const from = press.current
      if (from && Math.hypot(clientX - from.x, clientY - from.y) > maxMovePx) cancelPress()
    },
    onPointerUp: cancelPress,
    onPointerCancel: cancelPress,
    // On a long press, browsers open the menu of the link in the row, some of them before `pressMs` have passed. This handler prevents the menu.
    onContextMenu: (event: MouseEvent) => {
      const row = rowOf(event.target)
      if (!row || !(press.current || isAfterLongPress.current)) return
      event.preventDefault()
      if (press.current) pickByPress(row)
    },
    onClickCapture: (event: MouseEvent) => {
      const row = rowOf(event.target)
      if (!row || !(picking || isAfterLongPress.current) || event.target instanceof HTMLInputElement) return
      event.preventDefault()
      event.stopPropagation()
      if (!isAfterLongPress.current) toggleRow(row)
      isAfterLongPress.current = false
    },
  }
}

function rowOf(target: EventTarget): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-pick]') : null
}
