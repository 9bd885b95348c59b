import type { Locks } from '#web/data/browser/surroundings.ts'

/** The locks of one browser: who asks for one waits until those before them have released it. */
export function browserLocks(): Locks {
  const turns = new Map<string, Promise<unknown>>()
  return {
    request: <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const run = (turns.get(name) ?? Promise.resolve()).then(work, work)
      turns.set(
        name,
        run.catch(() => {}),
      )
      return run
    },
  }
}
