import { type Device, devicePart } from '#web/data/browser/device.ts'
import { reachable, serverNow } from '#web/data/server/network.ts'

/** When the server was last found unreachable, by the monotonic clock. Until then: when tracking began. */
const lost = devicePart((device) => {
  const state = { at: device.clock.elapsed() }
  reachable(device).subscribe(() => {
    if (!reachable(device).get()) state.at = device.clock.elapsed()
  })
  return state
})

/** Starts to record when the server was last unreachable. */
export function trackServerLoss(device: Device): void {
  lost(device)
}

/** Whether the server was unreachable, or tracking had not begun, at or after this moment of the server's time (ISO). */
export function wasLostSince(device: Device, at: string): boolean {
  return Date.parse(serverNow(device)) - Date.parse(at) >= device.clock.elapsed() - lost(device).at
}
