import { observable, useObservable } from '#web/lib/observable.ts'
import { onTabMessage, postToTabs } from '#web/data/browser/tab-channel.ts'

/** Whether the last request was answered at all, and the browser does not say that it is offline. */
export const reachable = observable(isOnLine())

/** Whether the browser has a network at all; the server may still be silent. */
export const onLine = observable(isOnLine())

/** The same for screens. */
export function useOnLine(): boolean {
  return useObservable(onLine)
}

/** What the browser says; where it says nothing, yes. */
export function isOnLine(): boolean {
  return globalThis.navigator?.onLine ?? true
}

let pausedUntil = 0
let clockOffset = 0

/** Milliseconds to wait before the next attempt, as the server asked by `Retry-After`; 0: none. */
export function serverPause(): number {
  return Math.max(0, pausedUntil - Date.now())
}

/** The server's idea of now, ISO with offset as PostgreSQL writes it; this device's clock, corrected by the last answer's Date. */
export function serverNow(): string {
  return new Date(Date.now() + clockOffset).toISOString().replace('Z', '+00:00')
}

/** Notes what an answer says about network, clock and, where it is one to a request for data, pauses; the tabs of a browser pause together. */
export function noteAnswer(response: Response, isData: boolean): void {
  const wait = isData ? askedPause(response) : 0
  if (wait > 0) {
    pausedUntil = Date.now() + wait
    postToTabs({ type: 'pause', until: pausedUntil })
  }
  const date = Date.parse(response.headers.get('date') ?? '')
  // The Date header has whole seconds: a smaller difference says nothing about the clock.
  if (Number.isFinite(date)) clockOffset = Math.abs(date - Date.now()) > 2000 ? date - Date.now() : 0
  reachable.set(true)
}

/** Milliseconds, five minutes at most, that a 429 or 503 asks for; 0: none. */
function askedPause({ status, headers }: Response): number {
  const asked = headers.get('retry-after')
  if (!asked || (status !== 429 && status !== 503)) return 0
  const seconds = Number(asked)
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(asked) - Date.now()
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), longestPause) : 0
}

const longestPause = 300_000

/** Notes that a request got no answer. */
export function noteSilence(): void {
  reachable.set(false)
}

onTabMessage((message) => {
  if (message.type === 'pause') pausedUntil = Math.max(pausedUntil, message.until)
})

globalThis.addEventListener?.('offline', () => {
  onLine.set(false)
  reachable.set(false)
})
globalThis.addEventListener?.('online', () => onLine.set(true))
