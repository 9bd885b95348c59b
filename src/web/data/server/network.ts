import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import { type Observable, observable, useObservable } from '#web/lib/observable.ts'
import { onTabMessage } from '#web/data/browser/tab-channel.ts'

/**
 * Whether the last request got an answer, and the browser has not gone offline since. Before the first request: whether the browser reports a
 * network.
 */
export function reachable(device: Device): Observable<boolean> {
  return connectionState(device).reachable
}

/** Whether the browser has a network. The server may still be unreachable. */
export function onLine(device: Device): Observable<boolean> {
  return connectionState(device).onLine
}

/** `onLine` for components. */
export function useOnLine(): boolean {
  const device = useDevice()
  return useObservable(onLine(device))
}

/** Whether the browser reports a network. True if it reports nothing. */
export function isOnLine(): boolean {
  return globalThis.navigator?.onLine ?? true
}

/**
 * What this tab knows about its connection to the server. `pausedUntil`: the end of the pause that the server asked for (`clock.elapsed()`, ms).
 * `clockOffset`: the server's time minus the time of this device's clock (ms), 0 if it is at most a second.
 */
export const connectionState = devicePart((device) => {
  const state = { reachable: observable(isOnLine()), onLine: observable(isOnLine()), pausedUntil: 0, clockOffset: 0 }
  onTabMessage(device, (message) => {
    if (message.type === 'pause') startPause(device, message.until - device.clock.now())
  })
  globalThis.addEventListener?.('offline', () => {
    state.onLine.set(false)
    state.reachable.set(false)
  })
  globalThis.addEventListener?.('online', () => state.onLine.set(true))
  return state
})

/** Returns the milliseconds left of the pause that the server asked for (`Retry-After`). 0 if there is no pause. */
export function serverPause(device: Device): number {
  return Math.max(0, connectionState(device).pausedUntil - device.clock.elapsed())
}

/**
 * Returns the server's time, as an ISO text with the UTC offset, like PostgreSQL's: the time of this device's clock, corrected by the Date
 * header of the last answer.
 */
export function serverNow(device: Device): string {
  return new Date(device.clock.now() + connectionState(device).clockOffset).toISOString().replace('Z', '+00:00')
}

/** The longest pause (ms). */
export const longestPauseMs = 300_000

/**
 * Starts a pause, or makes the current pause longer. The pause is measured by the monotonic clock, because setting back the device's clock must
 * not make it longer.
 */
export function startPause(device: Device, milliseconds: number): void {
  const state = connectionState(device)
  state.pausedUntil = Math.max(state.pausedUntil, device.clock.elapsed() + Math.min(milliseconds, longestPauseMs))
}

/** Records that a request got no answer. */
export function recordNoAnswer(device: Device): void {
  reachable(device).set(false)
}
