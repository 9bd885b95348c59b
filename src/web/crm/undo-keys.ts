import type { Device } from '#web/data/browser/device.ts'
import { undoOrRedo } from './undo-action.ts'

/** Fields in which the browser's own undo applies. A closed combobox is not one of them: it only shows the chosen value. */
const typedInto = ':read-write:not([role=combobox][aria-expanded=false])'

/**
 * Handles the keys of undo: Ctrl or ⌘ with Z undoes the last action of this tab; with Shift, or Ctrl+Y, redoes it. A text field keeps the
 * browser's own undo. While a dialog is open or a card is being carried, the keys do nothing (use-undo-keys.ts).
 */
export function handleUndoKey(device: Device, event: KeyboardEvent): void {
  const turn = requestedTurn(event)
  if (!turn || event.defaultPrevented) return
  if (event.target instanceof Element && event.target.matches(typedInto)) return
  // Otherwise the browser would undo the last typing in a field that has lost the focus.
  event.preventDefault()
  undoOrRedo(turn, device)
}

function requestedTurn({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): 'undo' | 'redo' | null {
  if (altKey || ctrlKey === metaKey) return null
  // On layouts without Latin letters, the key is found by its position on a US keyboard.
  const letter = /^[a-z]$/i.test(key) ? key.toLowerCase() : code.slice(-1).toLowerCase()
  if (letter === 'z') return shiftKey ? 'redo' : 'undo'
  return letter === 'y' && ctrlKey && !shiftKey ? 'redo' : null
}
