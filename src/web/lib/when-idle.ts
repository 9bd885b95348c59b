/**
 * Loads, when the page has nothing better to do, code that is wanted most when the network is away: what waits to be
 * sent, and what signing out would lose. Returns what calls it off; a failure is nothing, the next use asks again.
 */
export function whenIdle(load: () => Promise<unknown>): () => void {
  const timer = setTimeout(() => void load().catch(() => {}), 3_000)
  return () => clearTimeout(timer)
}
