import { devicePart, useDevice } from '#web/data/browser/device.ts'
import { observable, useObservable } from '#web/lib/observable.ts'

/** Whether the storage of this device is full. Then server rows are no longer stored, but unsent operations are. */
export const storageFull = devicePart(() => observable(false))

/** `storageFull` for components. */
export function useStorageFull(): boolean {
  const device = useDevice()
  return useObservable(storageFull(device))
}

/** Whether a write failed because the storage is full. */
export function isStorageFullError(error: unknown): boolean {
  return error instanceof Error && error.name === 'QuotaExceededError'
}
