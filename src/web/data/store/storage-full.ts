import { devicePart, useDevice } from '#web/data/browser/device.ts'
import { observable, useObservable } from '#web/lib/observable.ts'

/** Whether the storage of this device is full. If so, server rows are no longer stored, but unsent operations still are. */
export const isStorageFull = devicePart(() => observable(false))

/** Returns for a component whether the storage of this device is full. */
export function useStorageFull(): boolean {
  const device = useDevice()
  return useObservable(isStorageFull(device))
}

/** Whether a write has failed because the storage is full. */
export function isStorageFullError(error: unknown): boolean {
  return error instanceof Error && error.name === 'QuotaExceededError'
}
