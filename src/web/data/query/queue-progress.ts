import { type Device, devicePart } from '#web/data/browser/device.ts'
import { reachable } from '#web/data/server/network.ts'
import { queue } from '#web/data/store/queue.ts'

/** If the queue makes no progress for this time, its operations count as not sent (ms). This time is longer than a request waits for its response. */
const stuckAfterMs = 25_000

/** When the queue last changed, or the server became reachable or unreachable, as `clock.elapsed()` (ms). */
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
 * Whether the queue has not changed for 25 seconds, for example because its operations wait for one that needs attention. The time begins again when
 * the server becomes reachable or unreachable. If an operation is only sent again, that does not change the queue.
 */
export function isQueueStuck(device: Device): boolean {
  return device.clock.elapsed() - lastProgress(device).at >= stuckAfterMs
}
