import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'

export interface ListSelection {
  /**
   * The ids of the selected rows. With `everything`, all rows of the list are selected, and `ids` has only the rows that were selected before that.
   */
  ids: ReadonlySet<string>
  /** True if all rows of the list are selected, including rows that are not on this device. */
  everything: boolean
  count: number
  /** The state of the checkbox above the list: no rows, some rows or all rows are selected. */
  box: 'none' | 'some' | 'all'
  /** True if the checkbox above the list has selected the rows on this device, and the list has more rows. */
  hasMore: boolean
  has: (id: string) => boolean
  /** Only on the phone: true while a tap selects a row instead of opening it, even if no row is selected yet. */
  picking: boolean
  /** Starts to select rows by tapping. The row with this id is selected first. */
  pick: (id?: string, index?: number) => void
  /**
   * Selects a row, or deselects it. With `range`, if rows are selected already: selects all rows from the row that was toggled last up to this row.
   */
  toggle: (id: string, index: number, range: boolean) => void
  /** Selects the rows on this device, at most 500. If they are already selected, deselects all rows. */
  toggleAll: () => void
  selectLoaded: () => void
  selectEverything: () => void
  clear: () => void
}

interface SelectionState {
  ids: ReadonlySet<string>
  everything: boolean
  /** True if the checkbox above the list made the selection, and the selection was not changed since. */
  byBox: boolean
  picking: boolean
}

/** Maximum number of rows that the checkbox above the list selects one by one. */
export const maxSelected = 500

const noSelection: SelectionState = { ids: new Set(), everything: false, byBox: false, picking: false }

/**
 * Keeps the selection in a list of `total` rows. Some of them may not be on this device. `idAt` returns the id of the row at an index, or undefined
 * if the row is not on this device. Such a row cannot be selected by a range. When `listKey` changes, all rows are deselected.
 */
export function useListSelection(
  idAt: (index: number) => string | undefined,
  total: number,
  listKey: string,
): ListSelection {
  const [selected, setSelected] = useState(noSelection)
  /** The row that was toggled last, and its index then: a range starts there. Without an id, a range starts at this index. */
  const anchor = useRef<{ id: string | undefined; index: number }>({ id: undefined, index: 0 })
  const latest = useRef({ idAt, total, selected })
  useLayoutEffect(() => {
    latest.current = { idAt, total, selected }
  })
  const clear = useCallback(() => setSelected(noSelection), [])
  const lastKey = useRef(listKey)
  useLayoutEffect(() => {
    if (lastKey.current === listKey) return
    lastKey.current = listKey
    setSelected(({ picking }) => ({ ...noSelection, picking }))
  }, [listKey])
  return useMemo(() => {
    const change = (to: Omit<SelectionState, 'picking'>) => setSelected(({ picking }) => ({ ...to, picking }))
    const idsOf = (indexes: readonly number[]) =>
      indexes.map((index) => latest.current.idAt(index)).filter((id) => id !== undefined)
    const selectLoaded = () => {
      const ids = new Set(idsOf(indexesFrom(0, Math.min(latest.current.total, maxSelected))))
      if (ids.size > 0) change({ ids, everything: false, byBox: true })
    }
    /** Returns the index of the anchor now: rows that were added or deleted have moved it. -1 if its row is not in the list. */
    const anchorIndex = () => {
      const { id, index } = anchor.current
      const { idAt: idNow, total: totalNow } = latest.current
      if (id === undefined || idNow(index) === id) return index
      return indexesFrom(0, totalNow).findIndex((candidate) => idNow(candidate) === id)
    }
    const toggle = (id: string, index: number, range: boolean) => {
      const next = new Set(latest.current.selected.ids)
      const from = range && next.size > 0 ? anchorIndex() : -1
      anchor.current = { id, index }
      if (from < 0) {
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
        anchor.current = { id, index }
        setSelected({ ...noSelection, ids: new Set(id === undefined ? [] : [id]), picking: true })
      },
      toggle,
      toggleAll: () => (box === 'all' || byBox || everything ? change(noSelection) : selectLoaded()),
      selectLoaded,
      selectEverything: () => change({ ids: latest.current.selected.ids, everything: true, byBox: true }),
      clear,
    }
  }, [selected, total, clear])
}

function indexesBetween(fromIndex: number, toIndex: number): number[] {
  return indexesFrom(Math.min(fromIndex, toIndex), Math.abs(toIndex - fromIndex) + 1)
}

function indexesFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, step) => first + step)
}
