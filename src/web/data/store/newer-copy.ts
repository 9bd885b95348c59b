import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import { observable, useObservable } from '#web/lib/observable.ts'

const hasNewerCopy = devicePart(() => observable(false))

/** Records that a newer version of the app has written data in this browser that this page cannot read. */
export function recordNewerCopy(device: Device): void {
  hasNewerCopy(device).set(true)
}

/**
 * Whether a newer version of the app has written the local database, so that this page cannot read it. The page then asks the person to
 * reload it.
 */
export function useNewerCopy(): boolean {
  const device = useDevice()
  return useObservable(hasNewerCopy(device))
}

/** The same as `useNewerCopy`, for code outside of components. */
export function isNewerVersionStored(device: Device): boolean {
  return hasNewerCopy(device).get()
}
