import type { KeyboardEvent } from 'react'
import { holdFocus } from './hold-focus.ts'

/**
 * Moves the focus between the search field and the list: arrow down goes from the search to the first row, and arrow up from the first row
 * to the search. Use it as `onKeyDown` of the page. Rows have `data-row` and contain the focusable link with `data-row-focus`.
 */
export function moveFromSearch(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget: page, defaultPrevented } = event
  if (defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const search = page.querySelector<HTMLElement>('[role=searchbox]')
  const first = () => page.querySelector<HTMLElement>('[data-row-focus]')
  const isInFirst = target instanceof Element && target.closest('[data-row]')?.contains(first())
  if (key === 'ArrowUp' && isInFirst && search) search.focus()
  else if (key === 'ArrowDown' && target === search && first()) {
    first()?.focus()
    // The results for the last typed letters may still replace the focused row.
    void holdFocus(first)
  } else return
  event.preventDefault()
}
