import { type RefObject, useEffect, useRef } from 'react'

/**
 * Keeps the keyboard's place in a list whose rows leave: when the row that had the focus is gone (ticked, postponed), the row that now
 * stands there gets it, on its check. Rows have `data-index`.
 */
export function useKeptFocus(scroller: RefObject<HTMLElement | null>): void {
  const place = useRef<number | null>(null)

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const remember = ({ target }: FocusEvent) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
      place.current = row ? Number(row.dataset.index) : null
    }
    const forget = ({ target }: Event) => {
      if (!(target instanceof Node) || !element.contains(target)) place.current = null
    }
    element.addEventListener('focusin', remember)
    document.addEventListener('focusin', forget)
    document.addEventListener('pointerdown', forget)
    return () => {
      element.removeEventListener('focusin', remember)
      document.removeEventListener('focusin', forget)
      document.removeEventListener('pointerdown', forget)
    }
  }, [scroller])

  // No list of dependencies on purpose: any rendering may have taken away the row that had the focus.
  useEffect(() => {
    if (place.current === null || document.activeElement !== document.body) return
    const rows = [...(scroller.current?.querySelectorAll<HTMLElement>('[data-index]') ?? [])]
    const at = place.current
    const next = rows.find((row) => Number(row.dataset.index) >= at) ?? rows.at(-1)
    next?.querySelector<HTMLElement>('input')?.focus()
  })
}
