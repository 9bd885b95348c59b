import type { Device } from '#web/data/browser/device.ts'
import { serverNow } from '#web/data/server/network.ts'
import { lastUnreachable } from './last-unreachable.ts'

/** Maximum error of the age of an edit (ms). A late response, or a change of the device's clock, may have changed `serverNow` since the edit. */
const ageErrorMs = 5000

/**
 * Whether the server may have become unreachable since `at` (ISO, by the server's clock). Also true if this device began to record this only after
 * `at` (`lastUnreachable`), or if the server became unreachable up to `ageErrorMs` before `at`. False only if the server certainly did not become
 * unreachable since `at`.
 */
export function wasUnreachableSince(device: Device, at: string): boolean {
  // The monotonic clock is read first. If the process is interrupted between the two reads, the server seems to have become unreachable
  // later than it did. Then the result may be true by mistake, which is safe, but it is never false by mistake.
  const sinceUnreachable = device.clock.elapsed() - lastUnreachable(device).at
  return Date.parse(serverNow(device)) - Date.parse(at) + ageErrorMs >= sinceUnreachable
}
