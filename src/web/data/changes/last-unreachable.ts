import { devicePart } from '#web/data/browser/device.ts'
import { reachable } from '#web/data/server/network.ts'

/**
 * `at`: the time when the server last became unreachable (`clock.elapsed()`, ms). The first call of this function begins to record this time. If the
 * server has not become unreachable since then, `at` is the time of the first call.
 */
export const lastUnreachable = devicePart((device) => {
  const state = { at: device.clock.elapsed() }
  reachable(device).subscribe(() => {
    if (!reachable(device).get()) state.at = device.clock.elapsed()
  })
  return state
})
