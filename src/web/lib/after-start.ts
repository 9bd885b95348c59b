/**
 * Runs `load` after 3 s, when the first work of the page is usually done. `load` does work that can wait, or loads code that may be needed
 * when the network is gone (the outbox, the question before signing out). Returns the function that cancels the run. Failures are ignored,
 * because the code is loaded again when it is used.
 */
export function afterStart(load: () => Promise<unknown>): () => void {
  const timer = setTimeout(() => void load().catch(() => {}), 3_000)
  return () => clearTimeout(timer)
}
