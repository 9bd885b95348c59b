import { useEffect } from 'react'
import type { Device } from '#web/data/browser/device.ts'

/** A dialog is open, or a card is carried and not put down yet. */
const undecided = '[data-modal-layer], [data-carried]:not(.deal-settling *)'

/** The keys of undo, on all pages. Their code is loaded when Ctrl or ⌘ goes down, before the letter. */
export function useUndoKeys(device: Device): void {
  useEffect(() => {
    let keys: typeof import('./undo-keys.ts') | undefined
    const pressed = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || document.querySelector(undecided)) return
      // At once, so that the browser does not undo something of its own too.
      if (keys) keys.undoPressed(device, event)
      else
        import('./undo-keys.ts').then(
          (loaded) => {
            keys = loaded
            keys.undoPressed(device, event)
          },
          () => {},
        )
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [device])
}
