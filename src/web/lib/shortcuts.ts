import { useEffectEvent, useLayoutEffect } from 'react'

/**
 * Runs an action when the person presses a key, wherever the focus is. Does nothing while the person types, or while a menu or a dialog is
 * open.
 */
export function useShortcut(key: string, run: () => void): void {
  const act = useEffectEvent(run)
  // A layout effect, so that the key works as soon as the page is painted.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (isTyping(event.target) || document.querySelector('[data-modal-layer]')) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [key])
}

/** Whether an element needs the pressed keys itself: a text field, a select or an item of a menu. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.matches('input:not([type=checkbox]), textarea, select, [role^=menuitem], [role=combobox]')
  )
}
