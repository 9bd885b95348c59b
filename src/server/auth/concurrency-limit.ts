import { refusal } from '#server/http/errors.ts'

export interface ConcurrencyLimit {
  /** Runs `work` at once. Throws 503 with Retry-After if too many requests of this network are in progress. */
  run: <T>(network: string, work: () => Promise<T>) => Promise<T>
}

/**
 * Limits how many requests of one network are in progress at the same time. All requests share the few connections of the
 * owner role: without a limit, thousands of refused requests (such as wrong refresh tokens) would delay everybody.
 */
export function createConcurrencyLimit(perNetwork: number): ConcurrencyLimit {
  const runningByNetwork = new Map<string, number>()

  async function run<T>(network: string, work: () => Promise<T>): Promise<T> {
    const running = runningByNetwork.get(network) ?? 0
    // Not 429, because the official client ends its session if a refresh gets 429.
    if (running >= perNetwork) throw refusal('unavailable', { headers: { 'Retry-After': '1' } })
    runningByNetwork.set(network, running + 1)
    try {
      return await work()
    } finally {
      const stillRunning = (runningByNetwork.get(network) ?? 1) - 1
      if (stillRunning === 0) runningByNetwork.delete(network)
      else runningByNetwork.set(network, stillRunning)
    }
  }
  return { run }
}
