import type { Device } from '#web/data/browser/device.ts'
import { runInStep, type Step } from '#web/data/changes/steps.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { toast, type ToastOptions } from '#web/ui/toast.ts'

/**
 * Starts an action whose toast has 'Undo'. `run` calls a function: the edits that it makes before its first `await` belong to the action.
 * `options` has the toast's button 'Undo', which undoes these edits. The keyboard shortcut undoes the same edits.
 */
export function beginUndoable(device: Device): {
  run: <Result>(act: () => Result) => Result
  options: Required<Pick<ToastOptions, 'action'>>
} {
  const step: Step = { operations: [] }
  // The code that undoes is loaded now, because the network may be gone when the person presses 'Undo'.
  const undoCode = import('./undo-toasts.ts')
  undoCode.catch(() => {})
  const undo = () =>
    undoCode.then(
      (toasts) => toasts.undo(device, step),
      () => toast.error('Undo failed', { description: 'Try again with a connection.' }),
    )
  return {
    run: (act) => runInStep(openBrand(device).get(), step, act),
    options: { action: { label: 'Undo', run: () => void undo() } },
  }
}
