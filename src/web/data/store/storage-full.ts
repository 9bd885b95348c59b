import { devicePart, useDevice } from '#web/data/browser/device.ts'
import { observable, useObservable } from '#web/lib/observable.ts'

/**
 * Whether a write of this tab has failed because the storage of this device is full. Stays true until the page is loaded again, also if there is room
 * again. Meanwhile this tab stores no server rows (`stopStoringRows`). Unsent operations are still written as long as there is room: if necessary,
 * copies of server rows are deleted for them (`writeMakingRoom`).
 */
export const isStorageFull = devicePart(() => observable(false))

/** `isStorageFull` for components. */
export function useStorageFull(): boolean {
  const device = useDevice()
  return useObservable(isStorageFull(device))
}

/** Whether this is the error of a write that failed because the storage is full. */
export function isStorageFullError(error: unknown): boolean {
  return error instanceof Error && error.name === 'QuotaExceededError'
}
