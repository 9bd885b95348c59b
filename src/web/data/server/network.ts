import { useDevice } from '#web/data/browser/device.ts'
import { type Device, devicePart } from '#web/data/browser/device.ts'
import { observable, useObservable } from '#web/lib/observable.ts'
import { onTabMessage, postToTabs } from '#web/data/browser/tab-channel.ts'

/** Whether the last request was answered at all, and the browser does not say that it is offline. */
export const reachable = (device: Device) => network(device).reachable

/** Whether the browser has a network at all; the server may still be silent. */
export const onLine = (device: Device) => network(device).onLine

/** The same for screens. */
export function useOnLine(): boolean {
  const device = useDevice()
  return useObservable(onLine(device))
}

/** What the browser says; where it says nothing, yes. */
export function isOnLine(): boolean {
  return globalThis.navigator?.onLine ?? true
}

const network = devicePart((device) => {
  const known = { reachable: observable(isOnLine()), onLine: observable(isOnLine()), pausedUntil: 0, clockOffset: 0 }
  onTabMessage(device, (message) => {
    if (message.type === 'pause') pause(device, message.until - device.clock.now())
  })
  globalThis.addEventListener?.('offline', () => {
    known.onLine.set(false)
    known.reachable.set(false)
  })
  globalThis.addEventListener?.('online', () => known.onLine.set(true))
  return known
})

/** Milliseconds to wait before the next attempt, as the server asked by `Retry-After`; 0: none. */
export function serverPause(device: Device): number {
  return Math.max(0, network(device).pausedUntil - device.clock.elapsed())
}

/** The server's idea of now, ISO with offset as PostgreSQL writes it; this device's clock, corrected by the last answer's Date. */
export function serverNow(device: Device): string {
  return new Date(device.clock.now() + network(device).clockOffset).toISOString().replace('Z', '+00:00')
}

/** Notes what an answer says about network, clock and, where it is one to a request for data, pauses; the tabs of a browser pause together. */
export function noteAnswer(device: Device, response: Response, isData: boolean): void {
  const wait = isData ? askedPause(device, response) : 0
  if (wait > 0) {
    pause(device, wait)
    postToTabs(device, { type: 'pause', until: device.clock.now() + wait })
  }
  const date = Date.parse(response.headers.get('date') ?? '')
  // The Date header has whole seconds: a smaller difference says nothing about the clock.
  if (Number.isFinite(date))
    network(device).clockOffset = Math.abs(date - device.clock.now()) > 2000 ? date - device.clock.now() : 0
  reachable(device).set(true)
}

/** Milliseconds, five minutes at most, that a 429 or 503 asks for; 0: none. */
function askedPause(device: Device, { status, headers }: Response): number {
  const asked = headers.get('retry-after')
  if (!asked || (status !== 429 && status !== 503)) return 0
  const seconds = Number(asked)
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(asked) - device.clock.now()
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), longestPause) : 0
}

const longestPause = 300_000

/** Does not count by the time of day: a clock that is put back must not make it longer. */
function pause(device: Device, milliseconds: number): void {
  const known = network(device)
  known.pausedUntil = Math.max(known.pausedUntil, device.clock.elapsed() + Math.min(milliseconds, longestPause))
}

/** Notes that a request got no answer. */
export function noteSilence(device: Device): void {
  reachable(device).set(false)
}
