import { type KeyboardEvent as ReactKeyboardEvent, type RefObject, useEffectEvent, useLayoutEffect } from 'react'
import { isTyping } from './shortcuts.ts'

/**
 * Runs an action when the person presses Ctrl+A or Cmd+A. Does nothing while the focus is in a text field or in an open menu, or while `page` is
 * inert. (A dialog makes the page inert, and on the phone a panel does so, too.)
 */
export function useSelectAll(page: RefObject<HTMLElement | null>, run: () => void): void {
  const act = useEffectEvent(run)
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, target, defaultPrevented } = event
      if (key.toLowerCase() !== 'a' || !(ctrlKey || metaKey) || altKey || shiftKey || defaultPrevented) return
      if (isTyping(target) || (target instanceof Element && target.closest('[popover]'))) return
      if (!page.current || page.current.closest('[inert]')) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [page])
}

/**
 * Moves the focus between the rows of a list when the person presses an arrow key up or down. Use it as `onKeyDown` of the list. The focus
 * goes to the element with `data-row-focus` in the next or the previous row, or in the first row if the list itself has the focus. If the row is
 * not rendered, the browser scrolls the list, as it does by default.
 */
export function moveBetweenRows(event: ReactKeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const targets = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-focus]')]
  const row = event.target instanceof Element ? event.target.closest('[data-row]') : null
  const rowIndex = targets.findIndex((target) => row?.contains(target))
  if (rowIndex === -1 && event.target !== event.currentTarget) return
  const next = targets[rowIndex === -1 ? 0 : rowIndex + (event.key === 'ArrowDown' ? 1 : -1)]
  if (!next) return
  event.preventDefault()
  next.focus({ preventScroll: true })
  next.closest('[data-row]')?.scrollIntoView({ block: 'nearest' })
}
