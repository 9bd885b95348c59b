import { liveValue } from './live-value.ts'

/** Whether the last request was answered at all, and the browser does not say that it is offline. */
export const reachable = liveValue(isOnLine())

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

/** Notes what an answer says about network, pauses and clock. */
export function noteAnswer(response: Response): void {
  reachable.set(true)
  const retryAfter = response.headers.get('retry-after')
  if (retryAfter && (response.status === 429 || response.status === 503)) {
    const seconds = Number(retryAfter)
    const until = Number.isFinite(seconds) ? Date.now() + seconds * 1000 : Date.parse(retryAfter)
    if (Number.isFinite(until)) pausedUntil = Math.min(until, Date.now() + 300_000)
  }
  const date = Date.parse(response.headers.get('date') ?? '')
  // The Date header has whole seconds: a smaller difference says nothing about the clock.
  if (Number.isFinite(date)) clockOffset = Math.abs(date - Date.now()) > 2000 ? date - Date.now() : 0
}

/** Notes that a request got no answer. */
export function noteSilence(): void {
  reachable.set(false)
}

globalThis.addEventListener?.('offline', () => reachable.set(false))
