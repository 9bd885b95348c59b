import { refusal } from '#server/http/errors.ts'

export interface Places {
  /** Runs `work` at once. Throws 503 with Retry-After if this network has too many requests in progress. */
  run: <T>(network: string, work: () => Promise<T>) => Promise<T>
}

/**
 * Limits how many requests of one network are in progress. They share the owner's few connections: without a limit,
 * thousands of refused requests (such as wrong refresh tokens) would delay everybody.
 */
export function createPlaces(perNetwork: number): Places {
  const taken = new Map<string, number>()

  async function run<T>(network: string, work: () => Promise<T>): Promise<T> {
    const now = taken.get(network) ?? 0
    // Not 429: the official client ends its session when a refresh is answered with 429.
    if (now >= perNetwork) throw refusal('unavailable', { headers: { 'Retry-After': '1' } })
    taken.set(network, now + 1)
    try {
      return await work()
    } finally {
      const left = (taken.get(network) ?? 1) - 1
      if (left === 0) taken.delete(network)
      else taken.set(network, left)
    }
  }
  return { run }
}
