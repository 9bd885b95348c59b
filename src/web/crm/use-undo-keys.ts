import { useEffect } from 'react'
import type { Device } from '#web/data/browser/device.ts'

/**
 * Matches an element while a dialog is open or a card is being carried, but not while a dropped card moves to its place. While the selector
 * matches, the app does not handle the undo keys, and the browser's own undo applies.
 */
const undoBlockers = '[data-modal-layer], [data-carried]:not(.deal-settling *)'

/**
 * Handles the undo keys on all pages. The code of the undo keys is loaded when Ctrl or ⌘ is pressed, so that it is usually ready when the
 * letter is pressed.
 */
export function useUndoKeys(device: Device): void {
  useEffect(() => {
    let keys: typeof import('./undo-keys.ts') | undefined
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || document.querySelector(undoBlockers)) return
      // The handler is called synchronously, so that the browser's own undo can be prevented.
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
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [device])
}
