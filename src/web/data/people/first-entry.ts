import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import { observable, useObservable } from '#web/lib/observable.ts'
import { sessionState } from '#web/data/session/session.ts'
import { useMemberNames } from './member-names.ts'

const key = 'first-entry'

/** Whether the user has just entered a brand for the first time, in this tab. */
const firstEntry = devicePart((device) => {
  const entered = observable(device.tabStorage?.getItem(key) === '1')
  sessionState(device).subscribe(() => {
    if (!sessionState(device).get().session) entered.set(false)
  })
  return entered
})

/** Notes that the user enters a brand of colleagues for the first time. It lasts as long as the tab. */
export function noteFirstEntry(device: Device): void {
  device.tabStorage?.setItem(key, '1')
  firstEntry(device).set(true)
}

/** The same for a brand that the user has created: the page is loaded again with it, and asks only then. */
export function noteFirstEntryAfterReload(device: Device): void {
  device.tabStorage?.setItem(key, '1')
}

/** The user has answered what colleagues call them, or does not want to. */
export function endFirstEntry(device: Device): void {
  device.tabStorage?.removeItem(key)
  firstEntry(device).set(false)
}

/** Whether the user has just joined or created a brand, and colleagues see them by the first part of their address. */
export function useIsNameless(): boolean {
  const device = useDevice()
  const hasEntered = useObservable(firstEntry(device))
  const { session } = useObservable(sessionState(device))
  const name = useMemberNames().get(session?.userId ?? '')
  return hasEntered && session !== null && (name === undefined || name === session.email.split('@')[0])
}
