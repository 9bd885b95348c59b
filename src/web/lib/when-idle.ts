/**
 * Loads code when the page is idle, so that it is there when the network is gone (the outbox, the question before signing out). Returns the
 * function that cancels the loading. Failures are ignored, because the next use loads the code again.
 */
export function whenIdle(load: () => Promise<unknown>): () => void {
  const timer = setTimeout(() => void load().catch(() => {}), 3_000)
  return () => clearTimeout(timer)
}
