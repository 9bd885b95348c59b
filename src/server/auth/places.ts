import { refusal } from '#server/http/errors.ts'

export interface Places {
  /** Runs `work` at once. Throws 503 with Retry-After where this network has as many on their way as it may. */
  run: <T>(network: string, work: () => Promise<T>) => Promise<T>
}

/**
 * Bounds how many requests of one network are worked on at once. They wait for the owner's few connections in one line: without
 * a bound whoever sends thousands that are refused, such as wrong refresh tokens, would keep everybody else waiting.
 */
export function createPlaces(perNetwork: number): Places {
  const taken = new Map<string, number>()

  async function run<T>(network: string, work: () => Promise<T>): Promise<T> {
    const now = taken.get(network) ?? 0
    // Not 429: the official client ends its session where a refresh is answered so.
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
