import { type Device, devicePart } from '#web/data/browser/device.ts'
import { reachable } from '#web/data/server/network.ts'
import { queue } from '#web/data/store/queue.ts'

/** If the queue makes no progress for this time while the server is reachable, its operations are taken as not sent (ms). */
const stuckAfterMs = 10_000

/** When the queue last changed, or the server became reachable, as `clock.elapsed()` (ms). */
const lastProgress = devicePart((device) => {
  const last = { at: 0 }
  const record = () => {
    last.at = device.clock.elapsed()
  }
  record()
  queue(device).subscribe(record)
  reachable(device).subscribe(record)
  return last
})

/**
 * Whether no operation was added to the queue or left it for ten seconds, for example because it waits for one that needs attention. An operation that
 * is only sent again is no progress.
 */
export function isQueueStuck(device: Device): boolean {
  return device.clock.elapsed() - lastProgress(device).at >= stuckAfterMs
}
