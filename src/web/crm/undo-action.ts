import type { Device } from '#web/data/browser/device.ts'
import { inStep, type Step } from '#web/data/changes/steps.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { toast, type ToastOptions } from '#web/ui/toast.ts'

/**
 * Begins an action whose toast has 'Undo'. `run` makes edits that belong to it (those before their first `await`); `options` is the button
 * for the toast. It undoes the same step as the keys.
 */
export function undoable(device: Device): {
  run: <Result>(act: () => Result) => Result
  options: Required<Pick<ToastOptions, 'action'>>
} {
  const step: Step = { operations: [] }
  // The network may be gone when the person changes their mind.
  const code = loadToasts()
  code.catch(() => {})
  return {
    run: (act) => inStep(openBrand(device).get(), step, act),
    options: { action: { label: 'Undo', run: () => turnLater('undo', device, step, code) } },
  }
}

const loadToasts = () => import('./undo-toasts.ts')

/** Undoes a step of this tab, or does it again, once the code for it is here. Default: the last one. */
export function turnLater(turn: 'undo' | 'redo', device: Device, step?: Step, code = loadToasts()): void {
  code.then(
    (toasts) => toasts[turn](device, step),
    () => toast.error('Undo failed', { description: 'Try again with a connection.' }),
  )
}
