import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** After the last of several presses of an arrow key, the order is saved (ms). */
const pauseMs = 600

/**
 * Puts the rows of a list into another order: a handle is dragged, or carries its row with the arrow keys. `onReorder` saves; the new order is shown
 * until then. `onStep` says the new place.
 */
export function useReorder(
  ids: readonly string[],
  onReorder: (ids: readonly string[]) => Promise<unknown>,
  onStep: (id: string, place: number) => void,
) {
  const list = useRef<HTMLUListElement>(null)
  const [order, setOrder] = useState<readonly string[] | null>(null)
  const [dragged, setDragged] = useState<string | null>(null)
  const [focused, setFocused] = useState<{ id: string } | null>(null)
  const timer = useRef(0)
  const shown = order && order.length === ids.length && order.every((id) => ids.includes(id)) ? order : ids

  // A row that was moved in the page has lost the focus.
  useLayoutEffect(() => {
    if (focused) list.current?.querySelector<HTMLElement>(`[data-handle="${CSS.escape(focused.id)}"]`)?.focus()
  }, [focused])
  useEffect(() => () => clearTimeout(timer.current), [])

  const save = async (to: readonly string[]) => {
    if (to.join() !== ids.join()) await onReorder(to)
    setOrder((now) => (now === to ? null : now))
  }
  const put = (id: string, place: number) => {
    // What is saved next has this step, too.
    clearTimeout(timer.current)
    const to = shown.filter((other) => other !== id).toSpliced(place, 0, id)
    setOrder(to)
    return to
  }

  const handle = (id: string) => ({
    'data-handle': id,
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      setDragged(id)
    },
    onPointerMove: ({ clientY }: PointerEvent) => {
      if (dragged !== id || !list.current) return
      const rows = [...list.current.children].map((row) => row.getBoundingClientRect())
      const over = rows.findIndex(({ bottom }) => clientY < bottom)
      const place = over < 0 ? rows.length - 1 : over
      if (shown.indexOf(id) !== place) put(id, place)
    },
    onPointerUp: () => {
      setDragged(null)
      if (order) void save(order)
    },
    onPointerCancel: () => {
      setDragged(null)
      setOrder(null)
    },
    onKeyDown: (event: KeyboardEvent) => {
      const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
      if (step === 0) return
      event.preventDefault()
      const place = shown.indexOf(id) + step
      if (place < 0 || place >= shown.length) return
      const to = put(id, place)
      setFocused({ id })
      onStep(id, place + 1)
      timer.current = window.setTimeout(() => void save(to), pauseMs)
    },
    onBlur: () => setFocused(null),
  })

  return { list, shown, dragged, handle }
}
