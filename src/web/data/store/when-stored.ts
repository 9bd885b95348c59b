import type { Device } from '#web/data/browser/device.ts'
import type { Operation } from './operation.ts'
import { queue } from './queue.ts'

/**
 * Calls the function once, as soon as the outbox has all operations that this tab has added before this call. An operation that cannot be stored
 * is not awaited any more.
 */
export function whenStored(device: Device, act: () => void): void {
  // A new operation has the highest number until the outbox gives it its number.
  const unwritten = () => queue(device).get().operations.filter(isUnwritten)
  const added = new Set(unwritten().map(({ id }) => id))
  const check = () => {
    if (unwritten().some(({ id }) => added.has(id))) return
    stop()
    act()
  }
  const stop = queue(device).subscribe(check)
  check()
}

function isUnwritten({ seq }: Operation): boolean {
  return seq === Number.MAX_SAFE_INTEGER
}
