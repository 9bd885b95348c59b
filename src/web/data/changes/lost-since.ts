import { type Device, devicePart } from '#web/data/browser/device.ts'
import { reachable, serverNow } from '#web/data/server/network.ts'

/** When the server was last found unreachable, by the clock that does not jump; at first, when sending began. */
const lost = devicePart((device) => {
  const state = { at: device.clock.elapsed() }
  reachable(device).subscribe(() => {
    if (!reachable(device).get()) state.at = device.clock.elapsed()
  })
  return state
})

/** Notes from now on when the server is lost. */
export function watchLosses(device: Device): void {
  lost(device)
}

/** Whether the server was out of reach, or sending had not begun, at or after this moment of the server's time (ISO). */
export function wasLostSince(device: Device, at: string): boolean {
  return Date.parse(serverNow(device)) - Date.parse(at) >= device.clock.elapsed() - lost(device).at
}
