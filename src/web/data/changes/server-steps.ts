import type { Device } from '#web/data/browser/device.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { type Step, stepsOf } from './steps.ts'

/**
 * Records an action that the server has done, such as an import, so that it can be undone. Its undo runs on the server: `run`
 * undoes it, or asks the user first. It cannot be redone.
 */
export function recordServerStep(device: Device, id: string, run: () => void): void {
  const data = openBrand(device).get()
  if (!data) return
  removeServerStep(device, id)
  const steps = stepsOf(data)
  steps.done = [...steps.done, { operations: [], onServer: { id, run } }]
  steps.undone = []
}

/** Removes an action of the server from the steps that can be undone, because it was undone. */
export function removeServerStep(device: Device, id: string): void {
  const data = openBrand(device).get()
  if (!data) return
  const steps = stepsOf(data)
  steps.done = steps.done.filter(({ onServer }) => onServer?.id !== id)
}

/**
 * Returns the function that undoes an action of the server, or asks the user first. By default, this is the last step that can be undone. Undefined
 * if the step has operations on this device.
 */
export function serverUndoOf(device: Device, step?: Step): (() => void) | undefined {
  const data = openBrand(device).get()
  const lastStep = data && stepsOf(data).done.findLast(({ operations, onServer }) => operations.length > 0 || onServer)
  return (step ?? lastStep)?.onServer?.run
}
