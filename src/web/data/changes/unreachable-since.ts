import { type Device, devicePart } from '#web/data/browser/device.ts'
import { reachable, serverNow } from '#web/data/server/network.ts'

/** The time when the server last became unreachable (ms of the monotonic clock). If it never did, the time when tracking began. */
const lastUnreachable = devicePart((device) => {
  const state = { at: device.clock.elapsed() }
  reachable(device).subscribe(() => {
    if (!reachable(device).get()) state.at = device.clock.elapsed()
  })
  return state
})

/** Begins to record when the server becomes unreachable. `wasUnreachableSince` needs these times. */
export function trackUnreachability(device: Device): void {
  lastUnreachable(device)
}

/** Maximum error of the age of an edit (ms). A late response, or a change of the device's clock, may have changed `serverNow` since the edit. */
const ageErrorMs = 5000

/**
 * Whether the server became unreachable at or after `at` (ISO, by the server's clock), or if tracking began at or after `at`. May also be true if that
 * happened up to `ageErrorMs` before.
 */
export function wasUnreachableSince(device: Device, at: string): boolean {
  // The monotonic clock is read first. If the process is interrupted between the two reads, the server seems to have become unreachable
  // later than it did. Then the result may be true by mistake, which is safe, but it is never false by mistake.
  const sinceUnreachable = device.clock.elapsed() - lastUnreachable(device).at
  return Date.parse(serverNow(device)) - Date.parse(at) + ageErrorMs >= sinceUnreachable
}
