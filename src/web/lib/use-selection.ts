import { useMemo, useRef, useState } from 'react'

export interface Selection {
  ids: ReadonlySet<string>
  toggle: (id: string) => void
  /** All between the one chosen last and this one, in the order given. */
  range: (id: string, order: readonly string[]) => void
  set: (ids: Iterable<string>) => void
  clear: () => void
}

/** Several rows of a list, chosen by Ctrl or Cmd with a click (one) and Shift with a click (up to there). The verbs stay the same. */
export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string | null>(null)
  const verbs = useMemo(
    () => ({
      toggle: (id: string) => {
        last.current = id
        setIds((old) => {
          const next = new Set(old)
          if (!next.delete(id)) next.add(id)
          return next
        })
      },
      range: (id: string, order: readonly string[]) => {
        const from = last.current === null ? -1 : order.indexOf(last.current)
        const to = order.indexOf(id)
        if (from < 0) last.current = id
        const between = from < 0 ? [id] : order.slice(Math.min(from, to), Math.max(from, to) + 1)
        setIds((old) => new Set([...old, ...between]))
      },
      set: (chosen: Iterable<string>) => setIds(new Set(chosen)),
      clear: () => {
        last.current = null
        setIds((old) => (old.size === 0 ? old : new Set()))
      },
    }),
    [],
  )
  return { ids, ...verbs }
}
