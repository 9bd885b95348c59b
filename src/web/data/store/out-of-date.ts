import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import { observable, useObservable } from '#web/lib/observable.ts'

const outOfDate = devicePart(() => observable(false))

/** Records that a newer version of the app has written data on this device that this page cannot read: rows or operations. */
export function markOutOfDate(device: Device): void {
  outOfDate(device).set(true)
}

/**
 * Whether this page is out of date: a newer version of the app has written rows or operations on this device that the page cannot read. The page
 * then asks the person to reload it.
 */
export function useIsOutOfDate(): boolean {
  const device = useDevice()
  return useObservable(outOfDate(device))
}

/** The same as `useIsOutOfDate`, for code outside of components. */
export function isOutOfDate(device: Device): boolean {
  return outOfDate(device).get()
}
