import { refusal } from '#server/http/errors.ts'

export interface HashQueue {
  /**
   * Runs `work` when a place is free and nothing else runs for `account`. Throws 503 with Retry-After where too many
   * wait already.
   */
  run<T>(account: string, work: () => Promise<T>): Promise<T>
}

interface Waiting {
  account: string
  start: () => void
}

/**
 * The only way to a password hash. Each takes 34 MiB and a thread of the pool for its time, so `atOnce` bounds them, and
 * at most `room` wait. One at a time per account: parallel guesses would otherwise all pass before the first is counted.
 */
export function createHashQueue({ atOnce, room }: { atOnce: number; room: number }): HashQueue {
  const busy = new Set<string>()
  const waiting: Waiting[] = []

  function startNext(): void {
    while (busy.size < atOnce) {
      const index = waiting.findIndex(({ account }) => !busy.has(account))
      const [next] = index === -1 ? [] : waiting.splice(index, 1)
      if (next === undefined) return
      busy.add(next.account)
      next.start()
    }
  }

  async function run<T>(account: string, work: () => Promise<T>): Promise<T> {
    if (waiting.length >= room) throw refusal('unavailable', { headers: { 'Retry-After': '5' } })
    await new Promise<void>((resolve) => {
      waiting.push({ account, start: resolve })
      startNext()
    })
    try {
      return await work()
    } finally {
      busy.delete(account)
      startNext()
    }
  }

  return { run }
}
