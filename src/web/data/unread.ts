import { devicePart, useDevice } from '#web/data/browser/device.ts'
import { observable, useObservable } from '#web/lib/observable.ts'

/** How many of the user's notifications of the active brand are unread; 0 until that is known. */
export const unread = devicePart(() => observable(0))

/** `unread` for components. */
export function useUnread(): number {
  return useObservable(unread(useDevice()))
}
