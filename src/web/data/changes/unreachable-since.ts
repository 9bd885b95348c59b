import { type Device, devicePart } from '#web/data/browser/device.ts'
import { reachable, serverNow } from '#web/data/server/network.ts'

/** When the server was last found to be unreachable, by the monotonic clock. If it never was, the time when tracking began. */
const lastUnreachable = devicePart((device) => {
  const state = { at: device.clock.elapsed() }
  reachable(device).subscribe(() => {
    if (!reachable(device).get()) state.at = device.clock.elapsed()
  })
  return state
})

/** From now on, records the time when the server was last unreachable. `wasUnreachableSince` needs it. */
export function trackUnreachability(device: Device): void {
  lastUnreachable(device)
}

/** Whether the server was unreachable at or after `at` (ISO, by the server's clock). Also true if tracking began after `at`. */
export function wasUnreachableSince(device: Device, at: string): boolean {
  // The monotonic clock is read first. If the process is interrupted between the two reads, the server seems to have been unreachable later
  // than it was. Then the result may be true by mistake, which is safe, but it is never false by mistake.
  const sinceUnreachable = device.clock.elapsed() - lastUnreachable(device).at
  return Date.parse(serverNow(device)) - Date.parse(at) >= sinceUnreachable
}
