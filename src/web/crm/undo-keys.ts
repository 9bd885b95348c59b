import type { Device } from '#web/data/browser/device.ts'
import { turnLater } from './undo-action.ts'

/** Fields with an undo of the browser. In a closed combobox nothing is typed: it shows what was chosen. */
const typedInto = ':read-write:not([role=combobox][aria-expanded=false])'

/**
 * Ctrl or ⌘ with Z undoes the last action of this tab, with Shift, or Ctrl+Y, does it again. In a text field the browser's own undo stays;
 * while a dialog is open or a card is carried nothing behind it changes (use-undo-keys.ts).
 */
export function undoPressed(device: Device, event: KeyboardEvent): void {
  const turn = turnOf(event)
  if (!turn || event.defaultPrevented) return
  if (event.target instanceof Element && event.target.matches(typedInto)) return
  // The browser would undo what was typed last in a field that has lost the focus.
  event.preventDefault()
  turnLater(turn, device)
}

function turnOf({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): 'undo' | 'redo' | null {
  if (altKey || ctrlKey === metaKey) return null
  // Layouts without Latin letters have Z where a US keyboard has it.
  const letter = /^[a-z]$/i.test(key) ? key.toLowerCase() : code.slice(-1).toLowerCase()
  if (letter === 'z') return shiftKey ? 'redo' : 'undo'
  return letter === 'y' && ctrlKey && !shiftKey ? 'redo' : null
}
