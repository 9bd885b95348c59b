import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import { observable, useObservable } from '#web/lib/observable.ts'

const isNewer = devicePart(() => observable(false))

/** Notes that a newer version of the app has written data of this browser, which this page cannot read. */
export function noteNewerCopy(device: Device): void {
  isNewer(device).set(true)
}

/** Whether a newer version of the app has written the local database, which this page then cannot read. The page asks for a reload. */
export function useNewerCopy(): boolean {
  const device = useDevice()
  return useObservable(isNewer(device))
}

/** `useNewerCopy` outside of components. */
export function hasNewerCopy(device: Device): boolean {
  return isNewer(device).get()
}
