import { type Device, useDevice } from '#web/data/browser/device.ts'
import { devicePart } from '#web/data/browser/device.ts'
import { observable, useObservable } from '#web/lib/observable.ts'

const isNewer = devicePart(() => observable(false))

/** What this browser holds was written by a newer version of the app than this page: it cannot be read here. */
export function noteNewerCopy(device: Device): void {
  isNewer(device).set(true)
}

/** Whether it is so: the page says so and asks for a reload. */
export function useNewerCopy(): boolean {
  const device = useDevice()
  return useObservable(isNewer(device))
}

/** The same for who cannot render. */
export function hasNewerCopy(device: Device): boolean {
  return isNewer(device).get()
}
