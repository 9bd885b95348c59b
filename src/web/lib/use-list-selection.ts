import { useLayoutEffect, useMemo, useRef } from 'react'
import { useSelection } from './use-selection.ts'

export interface ListSelection {
  ids: ReadonlySet<string>
  /** Takes a row in or out; with `range` everything from the row that was touched last up to this one is taken in. */
  toggle: (id: string, index: number, range: boolean) => void
  clear: () => void
}

/**
 * The chosen rows of a list that is not whole on this device. `idAt` tells the id at a place (undefined: not here yet, it is left out of
 * ranges); `list` names what is listed: when it changes nothing is chosen any more.
 */
export function useListSelection(idAt: (index: number) => string | undefined, list: string): ListSelection {
  const { ids, toggle, set, clear } = useSelection()
  const last = useRef(0)
  const now = useRef({ idAt, ids })
  useLayoutEffect(() => {
    now.current = { idAt, ids }
  })
  const listed = useRef(list)
  useLayoutEffect(() => {
    if (listed.current === list) return
    listed.current = list
    clear()
  }, [list, clear])
  return useMemo(() => {
    const take = (id: string, index: number, range: boolean) => {
      const from = last.current
      last.current = index
      if (!range || now.current.ids.size === 0) return toggle(id)
      const others = between(from, index).map((place) => now.current.idAt(place))
      set([...now.current.ids, ...others.filter((other) => other !== undefined)])
    }
    return { ids, toggle: take, clear }
  }, [ids, toggle, set, clear])
}

function between(from: number, to: number): number[] {
  const first = Math.min(from, to)
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, step) => first + step)
}
