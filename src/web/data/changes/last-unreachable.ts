import { devicePart } from '#web/data/browser/device.ts'
import { reachable } from '#web/data/server/network.ts'

/**
 * The time when the server last became unreachable (ms of the monotonic clock). If it never did, the time of the first call, which begins to record it.
 */
export const lastUnreachable = devicePart((device) => {
  const state = { at: device.clock.elapsed() }
  reachable(device).subscribe(() => {
    if (!reachable(device).get()) state.at = device.clock.elapsed()
  })
  return state
})
