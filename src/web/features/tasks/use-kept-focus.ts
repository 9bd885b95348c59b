import { type RefObject, useEffect } from 'react'

/**
 * Keeps the keyboard's place in a list whose rows leave: when the row that had the focus is gone (ticked, postponed), the row that now
 * stands there gets it, on its check; the last one where none does. Rows have `data-index`.
 */
export function useKeptFocus(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const list = scroller.current
    if (!list) return
    let place: number | null = null
    const remember = ({ target }: FocusEvent) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
      place = row ? indexOf(row) : null
    }
    const forget = ({ target }: Event) => {
      if (!(target instanceof Node) || !list.contains(target)) place = null
    }
    const observer = new MutationObserver(() => {
      if (place === null || document.activeElement !== document.body) return
      rowAt(list, place)?.querySelector<HTMLElement>('input')?.focus({ preventScroll: true })
    })
    list.addEventListener('focusin', remember)
    document.addEventListener('focusin', forget)
    document.addEventListener('pointerdown', forget)
    observer.observe(list, { childList: true, subtree: true })
    return () => {
      list.removeEventListener('focusin', remember)
      document.removeEventListener('focusin', forget)
      document.removeEventListener('pointerdown', forget)
      observer.disconnect()
    }
  }, [scroller])
}

/** Only rows in sight are mounted: one that was scrolled away upwards has nobody in its place. */
function rowAt(list: HTMLElement, place: number): HTMLElement | undefined {
  const rows = [...list.querySelectorAll<HTMLElement>('[data-index]')]
  return rows.find((row) => indexOf(row) === place) ?? rows.filter((row) => indexOf(row) < place).at(-1)
}

function indexOf(row: HTMLElement): number {
  return Number(row.dataset.index)
}
