import type { Device } from '#web/data/browser/device.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { type Step, stepsOf } from './steps.ts'

/**
 * Records an action that the server has done, such as an import, so that it can be undone. Its undo asks the user first (`ask`) and runs on
 * the server. It cannot be redone.
 */
export function recordServerStep(device: Device, id: string, ask: () => void): void {
  const data = openBrand(device).get()
  if (!data) return
  removeServerStep(device, id)
  const steps = stepsOf(data)
  steps.done = [...steps.done, { operations: [], asks: { id, ask } }]
  steps.undone = []
}

/** Removes an action of the server from the steps that can be undone, because it was undone. */
export function removeServerStep(device: Device, id: string): void {
  const data = openBrand(device).get()
  if (!data) return
  const steps = stepsOf(data)
  steps.done = steps.done.filter(({ asks }) => asks?.id !== id)
}

/**
 * Returns the function that asks the user whether to undo a step. By default, the step is the last one that can be undone. Undefined if the step is
 * undone without a question.
 */
export function questionBeforeUndo(device: Device, step?: Step): (() => void) | undefined {
  const data = openBrand(device).get()
  const lastStep = data && stepsOf(data).done.findLast(({ operations, asks }) => operations.length > 0 || asks)
  return (step ?? lastStep)?.asks?.ask
}
