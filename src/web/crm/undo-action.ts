import type { Device } from '#web/data/browser/device.ts'
import { runInStep, type Step } from '#web/data/changes/steps.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { toast, type ToastOptions } from '#web/ui/toast.ts'

/**
 * Starts an action whose toast has 'Undo'. Edits that `run` makes before its first `await` belong to the action. `options` has the button
 * of the toast. It undoes the same step as the keyboard shortcut.
 */
export function beginUndoable(device: Device): {
  run: <Result>(act: () => Result) => Result
  options: Required<Pick<ToastOptions, 'action'>>
} {
  const step: Step = { operations: [] }
  // The code is loaded now, because the network may be gone when the person presses 'Undo'.
  const code = loadToasts()
  code.catch(() => {})
  return {
    run: (act) => runInStep(openBrand(device).get(), step, act),
    options: { action: { label: 'Undo', run: () => undoOrRedo('undo', device, step, code) } },
  }
}

const loadToasts = () => import('./undo-toasts.ts')

/** Undoes or redoes a step of this tab (default: the last one) as soon as the code that does it is loaded. */
export function undoOrRedo(turn: 'undo' | 'redo', device: Device, step?: Step, code = loadToasts()): void {
  code.then(
    (toasts) => toasts[turn](device, step),
    () => toast.error('Undo failed', { description: 'Try again with a connection.' }),
  )
}
