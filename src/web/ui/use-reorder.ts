import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { announce } from './live-region.ts'

interface Dragged {
  id: string
  /** The place that it would get, among the others. */
  place: number
}

interface ReorderOptions {
  /** The rows in order. */
  ids: readonly string[]
  /** Gets the new place of a row among the others. */
  onMove: (id: string, place: number) => void
}

/**
 * Reorders the rows of a list by their handles: a pointer drags one, arrow up and down move it by one place. The list has `listRef`, its
 * rows are its children.
 */
export function useReorder({ ids, onMove }: ReorderOptions) {
  const listRef = useRef<HTMLUListElement>(null)
  const [dragged, setDragged] = useState<Dragged | null>(null)

  const placeAt = (y: number, id: string) => {
    const rows = [...(listRef.current?.children ?? [])]
    const others = rows.filter((_, index) => ids[index] !== id)
    return others.filter((row) => y > middleOf(row)).length
  }
  const move = (id: string, place: number) => {
    if (place === ids.indexOf(id) || place < 0 || place >= ids.length) return
    onMove(id, place)
    announce(`Place ${place + 1} of ${ids.length}`)
  }
  const handle = (id: string) => ({
    'aria-keyshortcuts': 'ArrowUp ArrowDown',
    style: { touchAction: 'none' as const },
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      setDragged({ id, place: ids.indexOf(id) })
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (dragged?.id === id) setDragged({ id, place: placeAt(event.clientY, id) })
    },
    onPointerUp: () => {
      setDragged(null)
      if (dragged?.id === id) move(id, dragged.place)
    },
    onPointerCancel: () => setDragged(null),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Escape' && dragged) {
        event.preventDefault()
        return setDragged(null)
      }
      if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
      event.preventDefault()
      move(id, ids.indexOf(id) + (event.key === 'ArrowUp' ? -1 : 1))
    },
  })
  /** The line where the dragged row would go: above or below this row; null: not here. */
  const lineAt = (id: string): 'above' | 'below' | null => {
    if (!dragged || dragged.place === ids.indexOf(dragged.id)) return null
    const others = ids.filter((each) => each !== dragged.id)
    if (others[dragged.place] === id) return 'above'
    return dragged.place === others.length && others.at(-1) === id ? 'below' : null
  }
  return { listRef, handle, lineAt, draggedId: dragged?.id ?? null }
}

function middleOf(row: Element): number {
  const { top, height } = row.getBoundingClientRect()
  return top + height / 2
}
