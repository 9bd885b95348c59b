import { useEffect } from 'react'
import type { Device } from '#web/data/browser/device.ts'

/** The selector that matches while a dialog is open or a card is being carried. */
const undecided = '[data-modal-layer], [data-carried]:not(.deal-settling *)'

/** Handles the undo keys on all pages. Their code is loaded when Ctrl or ⌘ is pressed, before the letter. */
export function useUndoKeys(device: Device): void {
  useEffect(() => {
    let keys: typeof import('./undo-keys.ts') | undefined
    const pressed = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || document.querySelector(undecided)) return
      // Called synchronously, so that the browser's own undo can be prevented.
      if (keys) keys.handleUndoKey(device, event)
      else
        import('./undo-keys.ts').then(
          (loaded) => {
            keys = loaded
            keys.handleUndoKey(device, event)
          },
          () => {},
        )
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [device])
}
