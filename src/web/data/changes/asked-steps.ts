import type { Device } from '#web/data/browser/device.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { type Step, stepsOf } from './steps.ts'

/** Notes an action that the server has done and that is undone on the server, after a question. It cannot be done again. */
export function noteAsked(device: Device, id: string, ask: () => void): void {
  const data = openBrand(device).get()
  if (!data) return
  forgetAsked(device, id)
  const steps = stepsOf(data)
  steps.done = [...steps.done, { operations: [], asks: { id, ask } }]
  steps.undone = []
}

/** It is undone. */
export function forgetAsked(device: Device, id: string): void {
  const data = openBrand(device).get()
  if (!data) return
  const steps = stepsOf(data)
  steps.done = steps.done.filter(({ asks }) => asks?.id !== id)
}

/** The question before this step is undone; by default the last one. Undefined: it is undone at once. */
export function questionBefore(device: Device, step?: Step): (() => void) | undefined {
  const data = openBrand(device).get()
  const left = data && stepsOf(data).done.findLast(({ operations, asks }) => operations.length > 0 || asks)
  return (step ?? left)?.asks?.ask
}
