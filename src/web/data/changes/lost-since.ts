import { type Device, devicePart } from '#web/data/browser/device.ts'
import { reachable, serverNow } from '#web/data/server/network.ts'

/** When the server was last found to be unreachable, by the monotonic clock. If it never was, the time when tracking began. */
const lost = devicePart((device) => {
  const state = { at: device.clock.elapsed() }
  reachable(device).subscribe(() => {
    if (!reachable(device).get()) state.at = device.clock.elapsed()
  })
  return state
})

/** Starts to record the time at which the server was last found to be unreachable, for `wasLostSince`. */
export function trackServerLoss(device: Device): void {
  lost(device)
}

/** Whether the server was unreachable at or after `at` (ISO, by the server's clock). Also true if tracking began after `at`. */
export function wasLostSince(device: Device, at: string): boolean {
  // The monotonic clock is read first. If the process is interrupted between the two reads, the loss seems later than it was. Then the result
  // may be true by mistake, which is safe, but it is never false by mistake.
  const sinceLoss = device.clock.elapsed() - lost(device).at
  return Date.parse(serverNow(device)) - Date.parse(at) >= sinceLoss
}
