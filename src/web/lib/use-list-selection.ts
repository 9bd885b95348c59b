import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'

export interface ListSelection {
  ids: ReadonlySet<string>
  /** Selects a row or unselects it; with `range` selects all rows from the one that was touched last up to this one. */
  toggle: (id: string, index: number, range: boolean) => void
  clear: () => void
}

/**
 * The selected rows of a list that may be windowed. `idAt` gives the id at an index (undefined: the row is not on this device; ranges leave
 * it out). When `listKey` changes, the selection is cleared.
 */
export function useListSelection(idAt: (index: number) => string | undefined, listKey: string): ListSelection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const lastIndex = useRef(0)
  const latest = useRef({ idAt, ids })
  useLayoutEffect(() => {
    latest.current = { idAt, ids }
  })
  const clear = useCallback(() => setIds((old) => (old.size === 0 ? old : new Set())), [])
  const lastKey = useRef(listKey)
  useLayoutEffect(() => {
    if (lastKey.current === listKey) return
    lastKey.current = listKey
    clear()
  }, [listKey, clear])
  return useMemo(() => {
    const toggle = (id: string, index: number, range: boolean) => {
      const from = lastIndex.current
      lastIndex.current = index
      const next = new Set(latest.current.ids)
      if (!range || next.size === 0) {
        if (!next.delete(id)) next.add(id)
      } else {
        const rangeIds = indexesBetween(from, index).map((place) => latest.current.idAt(place))
        for (const rangeId of rangeIds) if (rangeId !== undefined) next.add(rangeId)
      }
      setIds(next)
    }
    return { ids, toggle, clear }
  }, [ids, clear])
}

function indexesBetween(one: number, other: number): number[] {
  const first = Math.min(one, other)
  return Array.from({ length: Math.abs(other - one) + 1 }, (_, step) => first + step)
}
