import { type KeyboardEvent as ReactKeyboardEvent, type RefObject, useEffect, useEffectEvent } from 'react'
import { isTyping } from './shortcuts.ts'

/**
 * Runs an action when Ctrl+A or Cmd+A is pressed while `page` is in use, wherever the focus is, except while the person types or a menu is open. A
 * dialog, and on the phone a panel, makes the page inert.
 */
export function useSelectAll(page: RefObject<HTMLElement | null>, run: () => void): void {
  const act = useEffectEvent(run)
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, target, defaultPrevented } = event
      if (key.toLowerCase() !== 'a' || !(ctrlKey || metaKey) || altKey || shiftKey || defaultPrevented) return
      if (isTyping(target) || (target instanceof Element && target.closest('[popover]'))) return
      if (!page.current || page.current.closest('[inert]')) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [page])
}

/**
 * An `onKeyDown` for a list: the arrow keys up and down move the focus to the element with `data-row-focus` in the next row. Rows that are out of
 * sight are mounted while the list scrolls.
 */
export function moveBetweenRows(event: ReactKeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const targets = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-focus]')]
  const row = event.target instanceof Element ? event.target.closest('[data-row]') : null
  const at = targets.findIndex((target) => row?.contains(target))
  if (at === -1 && event.target !== event.currentTarget) return
  const next = targets[at === -1 ? 0 : at + (event.key === 'ArrowDown' ? 1 : -1)]
  if (!next) return
  event.preventDefault()
  next.focus({ preventScroll: true })
  next.closest('[data-row]')?.scrollIntoView({ block: 'nearest' })
}
