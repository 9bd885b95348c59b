import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { announce } from './live-region.ts'

interface ReorderOptions {
  /** The ids of the rows, in their order. */
  ids: readonly string[]
  /** Returns the name of a row for screen readers. */
  nameOf: (id: string) => string
  /**
   * Saves the new order. `id` is the moved row, and `newIndex` is its new index. The list shows the new order until the promise settles.
   */
  onMove: (order: readonly string[], id: string, newIndex: number) => Promise<unknown> | void
  /** Time after the last press of an arrow key before the order is saved (ms). */
  pauseMs?: number
}

/**
 * Lets the person reorder the rows of a list: by dragging a handle, or with the arrow keys on it. Use the returned `list` as the ref of the
 * element whose children are the rows, in the order of `shown`.
 */
export function useReorder({ ids, nameOf, onMove, pauseMs = 600 }: ReorderOptions) {
  const list = useRef<HTMLUListElement>(null)
  const [order, setOrder] = useState<readonly string[] | null>(null)
  const [dragged, setDragged] = useState<string | null>(null)
  const [focusedRow, setFocusedRow] = useState<{ id: string } | null>(null)
  /** The order of the rows during a drag. It is in a ref, because a row may be dropped before React has rendered its last move. */
  const dragOrder = useRef<readonly string[] | null>(null)
  /** The row that the person has moved by keys, while the new order is not saved yet, and the function that saves the order. */
  const unsavedMove = useRef<{ id: string; timer: number; save: () => void } | null>(null)
  const shown = order && order.length === ids.length && order.every((id) => ids.includes(id)) ? order : ids

  // If React moves an element in the document, the element loses the focus.
  useLayoutEffect(() => {
    if (focusedRow) list.current?.querySelector<HTMLElement>(`[data-handle="${CSS.escape(focusedRow.id)}"]`)?.focus()
  }, [focusedRow])
  useEffect(
    () => () => {
      if (!unsavedMove.current) return
      clearTimeout(unsavedMove.current.timer)
      unsavedMove.current.save()
    },
    [],
  )

  /**
   * Saves the order that was changed by keys, without waiting for the timer. If the moved row is `nextId`, only stops the timer: that row is
   * being moved again, and then the order is saved.
   */
  const flush = (nextId?: string) => {
    if (!unsavedMove.current) return
    clearTimeout(unsavedMove.current.timer)
    if (unsavedMove.current.id !== nextId) unsavedMove.current.save()
  }
  const save = async (to: readonly string[], id: string) => {
    unsavedMove.current = null
    try {
      if (to.join() !== ids.join()) await onMove(to, id, to.indexOf(id))
    } finally {
      setOrder((now) => (now === to ? null : now))
    }
  }
  const moveTo = (id: string, newIndex: number) => {
    const to = shown.filter((other) => other !== id).toSpliced(newIndex, 0, id)
    setOrder(to)
    return to
  }
  const step = (id: string, by: number) => {
    const newIndex = shown.indexOf(id) + by
    if (newIndex < 0 || newIndex >= shown.length) return
    flush(id)
    const to = moveTo(id, newIndex)
    setFocusedRow({ id })
    announce(`${nameOf(id)}, place ${newIndex + 1} of ${shown.length}`)
    const saveMove = () => void save(to, id)
    if (pauseMs === 0) saveMove()
    else unsavedMove.current = { id, timer: window.setTimeout(saveMove, pauseMs), save: saveMove }
  }
  const cancel = () => {
    dragOrder.current = null
    setDragged(null)
    setOrder(null)
  }

  const handle = (id: string) => ({
    'data-handle': id,
    'aria-keyshortcuts': 'ArrowUp ArrowDown',
    style: { touchAction: 'none' as const },
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      flush()
      dragOrder.current = null
      setDragged(id)
    },
    onPointerMove: ({ clientY }: PointerEvent) => {
      if (dragged !== id || !list.current) return
      const rows = [...list.current.children].map((row) => row.getBoundingClientRect())
      const rowIndex = rows.findIndex(({ bottom }) => clientY < bottom)
      const newIndex = rowIndex < 0 ? rows.length - 1 : rowIndex
      if ((dragOrder.current ?? shown).indexOf(id) !== newIndex) dragOrder.current = moveTo(id, newIndex)
    },
    onPointerUp: () => {
      setDragged(null)
      if (dragged === id && dragOrder.current) void save(dragOrder.current, id)
      dragOrder.current = null
    },
    onPointerCancel: cancel,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Escape' && dragged) {
        event.preventDefault()
        event.stopPropagation()
        return cancel()
      }
      const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
      if (by === 0) return
      event.preventDefault()
      step(id, by)
    },
    onBlur: () => setFocusedRow(null),
  })

  return { list, shown, dragged, handle }
}
