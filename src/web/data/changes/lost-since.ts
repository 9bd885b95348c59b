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

/** Starts to track when the server is unreachable. */
export function trackServerLoss(device: Device): void {
  lost(device)
}

/** Whether the server was unreachable at or after `at` (ISO, by the server's clock). Also true if tracking began after `at`. */
export function wasLostSince(device: Device, at: string): boolean {
  // The monotonic clock is read first. If the process is interrupted between both clocks, the loss seems to be later, which is the safe side.
  const sinceLoss = device.clock.elapsed() - lost(device).at
  return Date.parse(serverNow(device)) - Date.parse(at) >= sinceLoss
}
