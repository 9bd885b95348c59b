import { type Device, devicePart } from './device.ts'

/** The end of each queue, by the name of the lock. */
const queueEnds = devicePart(() => new Map<string, Promise<unknown>>())

/**
 * Runs `work` while no other tab of this browser holds the lock of that name; waits its turn. Without a secure context there are no
 * Web Locks: then it is a queue within this tab, and the server's idempotency keys keep two tabs from doubling anything.
 */
export function withLock<T>(device: Device, name: string, work: () => Promise<T>): Promise<T> {
  if (device.locks) return device.locks.request(name, work)
  const ends = queueEnds(device)
  const before = ends.get(name) ?? Promise.resolve()
  const run = before.then(work, work)
  ends.set(
    name,
    run.catch(() => {}),
  )
  return run
}
