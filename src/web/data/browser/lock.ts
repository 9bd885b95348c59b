const waiting = new Map<string, Promise<unknown>>()

/**
 * Runs `work` while no other tab of this browser holds the lock of that name; waits its turn. Without a secure context there are no
 * Web Locks: then it is a queue within this tab, and the server's idempotency keys keep two tabs from doubling anything.
 */
export function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks = globalThis.navigator?.locks
  if (locks) return locks.request(name, work) as Promise<T>
  const before = waiting.get(name) ?? Promise.resolve()
  const run = before.then(work, work)
  waiting.set(
    name,
    run.catch(() => {}),
  )
  return run
}
