import type { KeyboardEvent } from 'react'

/** Ctrl or Cmd with A while the focus is in a list, and not in a field of text. */
export function isSelectAll({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): boolean {
  if (key.toLowerCase() !== 'a' || !(ctrlKey || metaKey) || altKey || shiftKey || !(target instanceof Element))
    return false
  return (
    !target.matches('input:not([type=checkbox]), textarea') && target.closest('[role=table], [role=region]') !== null
  )
}

/**
 * An `onKeyDown` for a list: arrow up and down give the focus to the element with `data-row-focus` in the next row. Rows out of sight are
 * mounted while the list scrolls.
 */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const places = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-focus]')]
  const row = event.target instanceof Element ? event.target.closest('[data-row]') : null
  const at = places.findIndex((place) => row?.contains(place))
  if (at === -1 && event.target !== event.currentTarget) return
  const next = places[at === -1 ? 0 : at + (event.key === 'ArrowDown' ? 1 : -1)]
  if (!next) return
  event.preventDefault()
  next.focus({ preventScroll: true })
  next.closest('[data-row]')?.scrollIntoView({ block: 'nearest' })
}
