import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'

export interface ListSelection {
  /** The rows that were selected one by one or as those of this device; with `everything` also all others. */
  ids: ReadonlySet<string>
  /** All rows of the list are selected, also those that are not on this device. */
  everything: boolean
  count: number
  /** What the box over the list shows. */
  box: 'none' | 'some' | 'all'
  /** The box has selected what is on this device, and the list has more rows. */
  hasMore: boolean
  has: (id: string) => boolean
  /** On the phone: rows are tapped to select them, also while none is selected yet. */
  picking: boolean
  /** Begins that, with this row. */
  pick: (id?: string, index?: number) => void
  /** Selects a row or unselects it; with `range` selects all rows from the one that was touched last up to this one. */
  toggle: (id: string, index: number, range: boolean) => void
  /** Selects the rows of this device, at most 500; where they are selected, none. */
  toggleAll: () => void
  selectLoaded: () => void
  selectEverything: () => void
  clear: () => void
}

interface Selected {
  ids: ReadonlySet<string>
  everything: boolean
  /** By the box, and not touched since. */
  byBox: boolean
  picking: boolean
}

/** The most rows that the box selects one by one. */
export const mostSelected = 500

const nothing: Selected = { ids: new Set(), everything: false, byBox: false, picking: false }

/**
 * The selected rows of a list of `total` rows that may be windowed. `idAt` gives the id at an index (undefined: the row is not on this
 * device; ranges leave it out). When `listKey` changes, the selection is cleared.
 */
export function useListSelection(
  idAt: (index: number) => string | undefined,
  total: number,
  listKey: string,
): ListSelection {
  const [selected, set] = useState(nothing)
  const lastIndex = useRef(0)
  const latest = useRef({ idAt, total, selected })
  useLayoutEffect(() => {
    latest.current = { idAt, total, selected }
  })
  const clear = useCallback(() => set(nothing), [])
  const lastKey = useRef(listKey)
  useLayoutEffect(() => {
    if (lastKey.current === listKey) return
    lastKey.current = listKey
    set(({ picking }) => ({ ...nothing, picking }))
  }, [listKey])
  return useMemo(() => {
    const change = (to: Omit<Selected, 'picking'>) => set(({ picking }) => ({ ...to, picking }))
    const idsOf = (indexes: readonly number[]) =>
      indexes.map((index) => latest.current.idAt(index)).filter((id) => id !== undefined)
    const selectLoaded = () => {
      const ids = new Set(idsOf(indexesFrom(0, Math.min(latest.current.total, mostSelected))))
      if (ids.size > 0) change({ ids, everything: false, byBox: true })
    }
    const toggle = (id: string, index: number, range: boolean) => {
      const from = lastIndex.current
      lastIndex.current = index
      const next = new Set(latest.current.selected.ids)
      if (!range || next.size === 0) {
        if (!next.delete(id)) next.add(id)
      } else for (const rangeId of idsOf(indexesBetween(from, index))) next.add(rangeId)
      change({ ids: next, everything: false, byBox: false })
    }
    const { ids, everything, byBox, picking } = selected
    const count = everything ? total : ids.size
    const box = count === 0 ? 'none' : count >= total ? 'all' : 'some'
    return {
      ids,
      everything,
      count,
      box,
      hasMore: byBox && !everything && ids.size < total,
      has: (id) => everything || ids.has(id),
      picking,
      pick: (id, index = 0) => {
        lastIndex.current = index
        set({ ...nothing, ids: new Set(id === undefined ? [] : [id]), picking: true })
      },
      toggle,
      toggleAll: () => (box === 'all' || byBox || everything ? change(nothing) : selectLoaded()),
      selectLoaded,
      selectEverything: () => change({ ids: latest.current.selected.ids, everything: true, byBox: true }),
      clear,
    }
  }, [selected, total, clear])
}

function indexesBetween(one: number, other: number): number[] {
  return indexesFrom(Math.min(one, other), Math.abs(other - one) + 1)
}

function indexesFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, step) => first + step)
}
