import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'
import type { ListSelection } from '#web/lib/use-list-selection.ts'
import { useBackCloses } from '#web/ui/use-back-closes.ts'

const pressMs = 500
/** A finger that moves further than this scrolls. */
const stillPx = 10

/** The attributes of a row, or a card, that can be picked. */
export interface Pickable {
  'data-pick': string
  'data-pick-index': number
}

/**
 * Selecting rows on the phone: a long press begins it with that row, then a tap, or another long press, selects a row or unselects it. Back
 * ends it, after it has closed the record that covers the list (`covered`). Returns the handlers of what holds the rows.
 */
export function usePicking({ picking, pick, toggle, clear }: ListSelection, covered: boolean) {
  const press = useRef<{ timer: number; x: number; y: number } | null>(null)
  /** The click that ends the long press opens nothing. */
  const endsPress = useRef(false)
  useBackCloses(picking && !covered, clear)
  const lift = () => {
    clearTimeout(press.current?.timer)
    press.current = null
  }
  useEffect(() => () => clearTimeout(press.current?.timer), [])
  const toggleRow = (row: HTMLElement) => toggle(row.dataset.pick ?? '', Number(row.dataset.pickIndex), false)
  const pickByPress = (row: HTMLElement) => {
    lift()
    endsPress.current = true
    if (picking) toggleRow(row)
    else pick(row.dataset.pick, Number(row.dataset.pickIndex))
  }
  return {
    onPointerDown: ({ target, pointerType, clientX: x, clientY: y }: PointerEvent) => {
      lift()
      endsPress.current = false
      const row = rowOf(target)
      if (row && pointerType === 'touch' && !(picking && target instanceof HTMLInputElement))
        press.current = { timer: window.setTimeout(() => pickByPress(row), pressMs), x, y }
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      const from = press.current
      if (from && Math.hypot(clientX - from.x, clientY - from.y) > stillPx) lift()
    },
    onPointerUp: lift,
    onPointerCancel: lift,
    // Browsers open a menu for the link in the row after a long press, some of them before `pressMs` are over.
    onContextMenu: (event: MouseEvent) => {
      const row = rowOf(event.target)
      if (!row || !(press.current || endsPress.current)) return
      event.preventDefault()
      if (press.current) pickByPress(row)
    },
    onClickCapture: (event: MouseEvent) => {
      const row = rowOf(event.target)
      if (!row || !(picking || endsPress.current) || event.target instanceof HTMLInputElement) return
      event.preventDefault()
      event.stopPropagation()
      if (!endsPress.current) toggleRow(row)
      endsPress.current = false
    },
  }
}

function rowOf(target: EventTarget): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-pick]') : null
}
