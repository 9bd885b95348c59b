import { type Device, devicePart } from './device.ts'

/** For browsers without Web Locks: the promise of the last call of `withLock` for each lock, by the name of the lock. */
const queueEnds = devicePart(() => new Map<string, Promise<unknown>>())

/**
 * Waits for the lock with this name, and runs `work` while no other call, in any tab of this browser, holds it. Without a secure context there are no
 * Web Locks. Then `work` waits only for earlier calls of this tab, and the server's idempotency keys prevent two tabs from writing something twice.
 */
export function withLock<T>(device: Device, name: string, work: () => Promise<T>): Promise<T> {
  if (device.locks) return device.locks.request(name, work)
  const ends = queueEnds(device)
  const previousRun = ends.get(name) ?? Promise.resolve()
  const run = previousRun.then(work, work)
  ends.set(
    name,
    run.catch(() => {}),
  )
  return run
}
