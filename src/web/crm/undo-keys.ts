import type { Device } from '#web/data/browser/device.ts'
import { toast } from '#web/ui/toast.ts'

/** Fields in which the browser's own undo applies. A closed combobox is not one of them: it only shows the chosen value. */
const typingFieldSelector = ':read-write:not([role=combobox][aria-expanded=false])'

/**
 * Handles the keys of undo and redo. Ctrl+Z or ⌘Z undoes the last action of this tab. Ctrl+Shift+Z, ⌘⇧Z or Ctrl+Y redoes the last undone
 * action. In a text field these keys are left to the browser. While a dialog is open or a card is being carried, this function is not
 * called (use-undo-keys.ts).
 */
export function handleUndoKey(device: Device, event: KeyboardEvent): void {
  const action = requestedAction(event)
  if (!action || event.defaultPrevented) return
  if (event.target instanceof Element && event.target.matches(typingFieldSelector)) return
  // By default, the browser would undo the last typing in a field that has lost the focus.
  event.preventDefault()
  import('./undo-toasts.ts').then(
    (toasts) => toasts[action](device),
    () => toast.error(`${action === 'undo' ? 'Undo' : 'Redo'} failed`, { description: 'Try again with a connection.' }),
  )
}

function requestedAction({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): 'undo' | 'redo' | null {
  if (altKey || ctrlKey === metaKey) return null
  // On layouts without Latin letters, the key is found by its position on a US keyboard.
  const letter = /^[a-z]$/i.test(key) ? key.toLowerCase() : code.slice(-1).toLowerCase()
  if (letter === 'z') return shiftKey ? 'redo' : 'undo'
  return letter === 'y' && ctrlKey && !shiftKey ? 'redo' : null
}
