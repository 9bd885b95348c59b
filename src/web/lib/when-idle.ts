/**
 * Runs `load` after 3 s, when the first work of the page is usually done. It loads code, so that the code is there when the network is gone
 * (the outbox, the question before signing out), or does work that can wait. Returns the function that cancels it. Failures are ignored,
 * because the next use loads the code again.
 */
export function afterStart(load: () => Promise<unknown>): () => void {
  const timer = setTimeout(() => void load().catch(() => {}), 3_000)
  return () => clearTimeout(timer)
}
