import type { KeyboardEvent } from 'react'
import { holdFocus } from './hold-focus.ts'

/**
 * An `onKeyDown` for a page with a list: arrow down leads from its search to the first row, arrow up from the first row to the search. Rows
 * have `data-row` and in it the link that takes the focus, `data-row-focus`.
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
    // What was typed last may still change the list.
    void holdFocus(first)
  } else return
  event.preventDefault()
}
