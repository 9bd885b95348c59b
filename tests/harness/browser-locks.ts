import type { Locks } from '#web/data/browser/surroundings.ts'

/** Creates the locks of one browser. Requests for the same lock run one after the other. */
export function browserLocks(): Locks {
  const lastRequests = new Map<string, Promise<unknown>>()
  return {
    request: <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const run = (lastRequests.get(name) ?? Promise.resolve()).then(work, work)
      lastRequests.set(
        name,
        run.catch(() => {}),
      )
      return run
    },
  }
}
