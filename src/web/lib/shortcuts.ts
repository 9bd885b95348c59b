import { useEffect, useEffectEvent } from 'react'

/** The list of shortcuts that '?' shows. */
export const shortcutList: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ['n'], does: 'New record of this page' },
  { keys: ['/'], does: 'Search this page' },
  { keys: ['Enter'], does: 'Open the record that has the focus' },
  { keys: ['e'], does: 'Edit the open record' },
  { keys: ['Esc'], does: 'Close the panel, the dialog or the selection' },
  { keys: ['Space'], does: 'Lift a deal, then the arrows carry it, Space drops it' },
  { keys: ['Shift', '←'], does: 'Move a deal one stage to the left' },
  { keys: ['Shift', '→'], does: 'Move a deal one stage to the right' },
  { keys: ['x'], does: 'Select the deal that has the focus' },
  { keys: ['?'], does: 'Show this list' },
]

/** Runs an action at a key press, wherever the focus is, except while the person types or a menu or dialog is open. */
export function useShortcut(key: string, run: () => void): void {
  const act = useEffectEvent(run)
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (isTyping(event.target) || document.querySelector('[data-modal-layer]')) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [key])
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.matches('input:not([type=checkbox]), textarea, select, [role^=menuitem], [role=combobox]')
  )
}
