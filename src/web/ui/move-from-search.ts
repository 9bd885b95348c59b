import type { KeyboardEvent } from 'react'
import { holdFocus } from './hold-focus.ts'

/**
 * Moves the focus between the search field and the list: arrow down goes from the search to the first row, and arrow up from the first row
 * to the search. Use it as `onKeyDown` of the page. Rows have `data-row` and contain the focusable link with `data-row-focus`.
 */
export function moveFromSearch(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget: page, defaultPrevented } = event
  if (defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const searchField = page.querySelector<HTMLElement>('[role=searchbox]')
  const firstLink = () => page.querySelector<HTMLElement>('[data-row-focus]')
  const isInFirstRow = target instanceof Element && target.closest('[data-row]')?.contains(firstLink())
  if (key === 'ArrowUp' && isInFirstRow && searchField) searchField.focus()
  else if (key === 'ArrowDown' && target === searchField && firstLink()) {
    firstLink()?.focus()
    // The results for the last typed letters may still replace the focused row.
    void holdFocus(firstLink)
  } else return
  event.preventDefault()
}
