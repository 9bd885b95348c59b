import { useDevice } from '#web/data/browser/device.ts'
import { devicePart } from '#web/data/browser/device.ts'
import { observable, useObservable } from '#web/lib/observable.ts'

/** The disk is full: copies of what the server has are no longer kept here, unsent changes are. */
export const noRoom = devicePart(() => observable(false))

/** The same for screens, which say so. */
export function useNoRoom(): boolean {
  const device = useDevice()
  return useObservable(noRoom(device))
}

/** Whether the disk refused for want of room. */
export function isNoRoom(error: unknown): boolean {
  return error instanceof Error && error.name === 'QuotaExceededError'
}
