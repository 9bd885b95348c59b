import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import { type Observable, observable, useObservable } from '#web/lib/observable.ts'
import { onTabMessage, postToTabs } from '#web/data/browser/tab-channel.ts'

/**
 * Whether the last request got an answer, and the browser has not gone offline since. Before the first request: whether the browser reports a
 * network.
 */
export function reachable(device: Device): Observable<boolean> {
  return network(device).reachable
}

/** Whether the browser has a network. The server may still be unreachable. */
export function onLine(device: Device): Observable<boolean> {
  return network(device).onLine
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

const network = devicePart((device) => {
  const state = { reachable: observable(isOnLine()), onLine: observable(isOnLine()), pausedUntil: 0, clockOffset: 0 }
  onTabMessage(device, (message) => {
    if (message.type === 'pause') pause(device, message.until - device.clock.now())
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
  return Math.max(0, network(device).pausedUntil - device.clock.elapsed())
}

/**
 * Returns the server's time, as an ISO text with the UTC offset, like PostgreSQL's: the time of this device's clock, corrected by the Date
 * header of the last answer.
 */
export function serverNow(device: Device): string {
  return new Date(device.clock.now() + network(device).clockOffset).toISOString().replace('Z', '+00:00')
}

/** A smaller difference between the clocks of the server and this device is not corrected (ms). */
const clockToleranceMs = 1000

/**
 * Records what an answer shows: that the server is reachable, its time and, after a data request, the pause that it asks for. All tabs of a
 * browser pause together. `sentAt`: the device's time when the request was sent, so that a slow answer is not mistaken for a wrong clock.
 */
export function recordAnswer(device: Device, response: Response, sentAt: number, isData: boolean): void {
  const pauseMs = isData ? requestedPause(device, response) : 0
  if (pauseMs > 0) {
    pause(device, pauseMs)
    postToTabs(device, { type: 'pause', until: device.clock.now() + pauseMs })
  }
  const date = Date.parse(response.headers.get('date') ?? '')
  if (Number.isFinite(date)) {
    // The server wrote the Date header between `sentAt` and now, and rounded it down to whole seconds.
    const [minOffset, maxOffset] = [date - device.clock.now(), date + 1000 - sentAt]
    network(device).clockOffset =
      minOffset > clockToleranceMs ? minOffset : maxOffset < -clockToleranceMs ? maxOffset : 0
  }
  reachable(device).set(true)
}

/** Returns the pause that a 429 or 503 asks for, in milliseconds, at most five minutes. 0 if there is none. */
function requestedPause(device: Device, { status, headers }: Response): number {
  const requested = headers.get('retry-after')
  if (!requested || (status !== 429 && status !== 503)) return 0
  const seconds = Number(requested)
  const pauseMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(requested) - device.clock.now()
  return Number.isFinite(pauseMs) ? Math.min(Math.max(pauseMs, 0), longestPauseMs) : 0
}

const longestPauseMs = 300_000

/**
 * Starts a pause, or makes the current pause longer. The pause is measured by the monotonic clock, because setting back the device's clock must
 * not make it longer.
 */
function pause(device: Device, milliseconds: number): void {
  const state = network(device)
  state.pausedUntil = Math.max(state.pausedUntil, device.clock.elapsed() + Math.min(milliseconds, longestPauseMs))
}

/** Records that a request got no answer. */
export function recordNoAnswer(device: Device): void {
  reachable(device).set(false)
}
